//! [`emit`]: a plan's text, from the constants down to the entry point.
//!
//! The device functions are files (`level/**/*.cuh`, `ptx/*.cuh`) that use named constants; what is
//! written here are those constants, the tiles and the entry point that calls the functions.

mod constants;
mod entry;
mod products;
mod reductions;
mod steps;

use crate::auto::Footprint;
use crate::banner;
use crate::body::{self, name::cuda_name};
use crate::element::Element;
use crate::facts::Facts;
use crate::form::Form;
use crate::kernel::{Kernel, LaunchShape};
use crate::level::pipeline::Mainloop;
use crate::parameters::Parameters;
use crate::part::Part;
use crate::plan::Plan;
use crate::spec::Accumulator;
use crate::text::Sections;

/// Writes the kernel of a plan. The text is a function of the plan alone and includes nothing.
pub fn emit(plan: &Plan) -> Kernel {
    let parameters = Parameters::new(plan);
    let mut text = Sections::default();
    write_head(&mut text, plan, &parameters);
    constants::write(&mut text, plan, &parameters);
    write_blocks(&mut text, plan);
    write_mainloop(&mut text, plan);
    write_body(&mut text, plan);
    write_epilogue(&mut text, plan, &parameters);

    let before = text.join();
    let hash = fnv1a(&(before + &entry::kernel(plan, &parameters, "")));
    let entry = format!("{}_{hash:016x}", cuda_name(&plan.spec.name));
    text.of(Part::Entry).add(entry::kernel(plan, &parameters, &entry));
    Kernel {
        name: plan.spec.name.clone().into(),
        text: text.join().into(),
        entry: entry.into(),
        outputs: plan.spec().outputs.len(),
        parameters: parameters.declared(plan).into(),
        abi: parameters.abi,
        factors: plan.factors(),
        reads_output: plan.problem.body.old.is_some(),
        launch: LaunchShape::of(plan),
        footprint: Footprint::of(plan),
        facts: Some(Facts::of(plan, text.parts())),
    }
}

/// The FNV-1a hash: names a text, guards nothing.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The banner, the promises about alignment and the element types.
fn write_head(text: &mut Sections, plan: &Plan, parameters: &Parameters) {
    text.add(banner::banner(plan));
    text.add(parameters.alignments(!plan.batch().is_empty()));
    text.add(elements(plan));
}

/// Which part of the output a block and a warp compute, and when.
fn write_blocks(text: &mut Sections, plan: &Plan) {
    let raster = (plan.raster, plan.batch().len());
    plan.scheduler.write_blocks(text, raster, !plan.segments.is_empty());
    plan.warps.write(text);
    plan.form.write_consumers(text, plan.scheduler.walk(), plan.epilogue.is_apart());
    plan.pdl.write(text);
}

/// From global memory to the accumulators.
fn write_mainloop(text: &mut Sections, plan: &Plan) {
    let sides = [&plan.sides.a, &plan.sides.b];
    let mainloop = Mainloop {
        form: plan.form,
        scheduler: plan.scheduler,
        copies: sides.map(|side| &side.global_to_shared),
        loads: sides.into_iter().filter_map(|side| side.feed.loads()).collect(),
        multiply: &plan.mma,
        tensors: plan.tensor_copies(),
        pdl: plan.pdl,
        planes: plan.planes,
        odd_steps: steps::of_stage(plan) % 2 == 1,
        promotes: plan.promotion.is_some(),
        promoting: plan.promoting(),
        scaling: plan.scaling,
        redistributes: plan.roles().is_some_and(|roles| roles.registers.is_some()),
        parts: plan.problem.products() > 1,
        in_turn: !plan.segments.is_empty(),
        terms: plan.problem.added().is_some(),
    };
    mainloop.write(text);
}

/// What happens to the sums: the function `body` and what it calls.
fn write_body(text: &mut Sections, plan: &Plan) {
    let body = body::cuda::emit(&plan.problem.body, &plan.spec);
    body.calls.iter().for_each(|function| text.add(function.text(body.halves)));
    body.own.into_iter().for_each(|functions| text.add(functions));
    text.add(body.function);
    if let Some(scale) = body.scale {
        text.add(match plan.mma.accumulator {
            Accumulator::I32 => include_str!("../level/mma/times_integers.cuh"),
            _ => include_str!("../level/mma/times.cuh"),
        });
        text.add(match plan.form {
            Form::Groups => include_str!("../level/pipeline/specialised/scale_sums.cuh"),
            _ => include_str!("../level/mma/scale_all_sums.cuh"),
        });
        text.add(scale);
    }
}

/// From the accumulators to global memory.
fn write_epilogue(text: &mut Sections, plan: &Plan, parameters: &Parameters) {
    text.add(include_str!("../level/word.cuh"));
    text.add(include_str!("../level/epilogue/vector.cuh"));
    let (reads, outputs) = (parameters.reads(plan), parameters.outputs());
    text.add(match plan.problem.products() {
        1 => include_str!("../level/epilogue/sums.cuh"),
        _ => include_str!("../level/epilogue/sums_of_products.cuh"),
    });
    parameters.cuda_guards(plan).into_iter().for_each(|guard| text.add(guard));
    let coordinates = &plan.problem.body.coordinates;
    let reductions = parameters.reductions(plan);
    plan.epilogue.write_values(text, &plan.problem.axes, coordinates, &reads);
    plan.epilogue.write_outputs(text, &outputs, plan.own_results());
    plan.scheduler.write_reduction(text, plan.mma.accumulator);
    match reductions {
        None => plan.epilogue.write(text, &plan.mma, &outputs, &reads, plan.batch().len()),
        Some(of) => {
            let (of, rank) = ((&outputs[..], &of), plan.batch().len());
            plan.epilogue.write_reduced(text, &plan.mma, of, &reads, rank);
        }
    }
}

fn elements(plan: &Plan) -> String {
    let all = plan.problem.parameters();
    let mut used: Vec<Element> = all.filter_map(|kind| kind.element()).collect();
    used.push(plan.mma.accumulator.staged());
    let needed = Element::ALL.into_iter().filter(|element| used.contains(element));
    needed.map(Element::cuda).collect::<Vec<_>>().join("\n")
}
