//! A launch of the kernel of any plan: operands and outputs whose types are known at run time only,
//! and what the outputs should be.

mod carried;
mod factors;
mod function;
mod host;
mod operand;
mod output;
mod read;
mod sums;
mod term;

use gemm_codegen::{Axis, Kernel, ParameterKind, Plan};
use gemm_runtime::{Error, launch};

use crate::exactness::Exactness;
use crate::judge::Verdict;
use crate::{Failure, Problem};

pub use function::call;
pub use host::Host;
pub use operand::{Operand, operands};
pub use output::{Output, Values, outputs};

/// Launches the kernel of a plan once on a problem, and judges each output by what `expected`
/// computes on the host. The worst verdict counts.
///
/// # Errors
/// What is wrong with the launch or with an output.
pub fn run(
    problem: &mut Problem<'_>,
    plan: &Plan,
    kernel: &Kernel,
    expected: &dyn Fn(&Host<'_>) -> Result<Vec<Values>, Error>,
) -> Result<Verdict, Failure> {
    let (host, outputs) = launched(problem, plan, kernel)?;
    judged(problem, &host, &outputs, &expected(&host)?)
}

/// The same by the values of the body, with the exactness of its sums where they are of f32 factors that tensor
/// cores multiply and are stored as they are.
///
/// # Errors
/// As [`run`].
pub fn run_with_exactness(
    problem: &mut Problem<'_>,
    plan: &Plan,
    kernel: &Kernel,
) -> Result<(Verdict, Option<Exactness>), Failure> {
    let (host, outputs) = launched(problem, plan, kernel)?;
    let verdict = judged(problem, &host, &outputs, &host.values()?)?;
    let written = outputs.iter().map(|output| output.written()).collect::<Result<Vec<_>, _>>()?;
    Ok((verdict, host.exactness(&written)))
}

/// The problem of a launch on the host, and what the launch wrote.
fn launched<'a>(
    problem: &mut Problem<'_>,
    plan: &'a Plan,
    kernel: &Kernel,
) -> Result<(Host<'a>, Vec<Box<dyn Output>>), Error> {
    problem.sums_of(kernel);
    let operands = operands(problem, plan)?;
    let mut outputs = outputs(problem, plan)?;
    let old = outputs.first().map(|output| output.elements()).unwrap_or_default();
    let mut arguments =
        operands.iter().map(|operand| operand.argument()).collect::<Result<Vec<_>, _>>()?;
    for output in &mut outputs {
        arguments.push(output.argument()?);
    }
    launch::into(problem.device(), kernel, arguments)?;

    let elements = operands.iter().map(|operand| operand.elements()).collect();
    let rank = plan.batch().len();
    let batch = (0..rank).map(|index| problem.values(index, rank)).collect();
    Ok((Host::new(plan, elements, old, problem.shape(), batch), outputs))
}

/// The worst verdict on the outputs.
fn judged(
    problem: &Problem<'_>,
    host: &Host<'_>,
    outputs: &[Box<dyn Output>],
    expected: &[Values],
) -> Result<Verdict, Failure> {
    let verdict = |carried: &dyn Fn(usize) -> Vec<f64>| {
        let pairs = outputs.iter().zip(expected).enumerate();
        let verdicts =
            pairs.map(|(at, (output, values))| output.judge(problem, values, &carried(at)));
        Ok(Verdict::worst(verdicts.collect::<Result<Vec<_>, _>>()?))
    };
    match verdict(&|_| Vec::new()) {
        // How far the body carries errors takes many evaluations of it; most outputs are right without.
        Err(Failure::Element { .. } | Failure::Norm { .. }) => {
            let carried = host.carried(problem.error_of_sums())?;
            verdict(&|output| carried.get(output).cloned().unwrap_or_default())
        }
        known => known,
    }
}

/// Launches the kernel of a plan once on a problem, and judges nothing.
///
/// # Errors
/// What is wrong with the launch.
pub fn launch_once(problem: &mut Problem<'_>, plan: &Plan, kernel: &Kernel) -> Result<(), Error> {
    let operands = operands(problem, plan)?;
    let mut outputs = outputs(problem, plan)?;
    let mut arguments =
        operands.iter().map(|operand| operand.argument()).collect::<Result<Vec<_>, _>>()?;
    for output in &mut outputs {
        arguments.push(output.argument()?);
    }
    launch::into(problem.device(), kernel, arguments).map(drop)
}

/// The axes of a matrix.
fn axes(kind: ParameterKind) -> [Axis; 2] {
    match kind {
        ParameterKind::Matrix { rows, columns, .. } => [rows, columns],
        _ => unreachable!("what is multiplied or stored is a matrix in every plan"),
    }
}
