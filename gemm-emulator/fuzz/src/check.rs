//! Properties of any text.

use gemm_emulator::{Fault, Launch, LaunchError, Memory, Module, ParseError, Place, Statistics};

/// Parses a text; panics if it is refused without a place in it.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let parsed = Module::parse(text);
    if let Err(error) = &parsed {
        let line = line_of(text, error.line);
        assert!(line.trim().starts_with(&error.text), "{error}: the line is `{line}`");
        assert!(!error.to_string().is_empty());
    }
    parsed
}

/// A line by its number; panics if there is none of that number. An empty text has one.
fn line_of(text: &str, number: u32) -> &str {
    let index = number.checked_sub(1).expect("lines count from 1") as usize;
    let line = text.lines().nth(index).or((index == 0).then_some(""));
    line.unwrap_or_else(|| panic!("there is no line {number} in\n{text}"))
}

/// Launches a kernel of a text, which must parse; panics if a fault has a place that cannot be, or more was executed
/// than allowed. Arguments are made to fit the parameters.
pub fn launch(
    text: &str,
    memory: &Memory,
    launch: &Launch<'_>,
    arguments: &mut Vec<Vec<u8>>,
) -> Result<Statistics, Fault> {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    loop {
        let result = module.launch(memory, &Launch { arguments, ..*launch });
        match &result {
            Err(Fault::Launch(LaunchError::ArgumentCount { expected, found, .. })) => {
                assert_ne!(expected, found);
                arguments.resize(*expected, Vec::new());
                continue;
            }
            Err(Fault::Launch(LaunchError::ArgumentSize { index, expected, found, .. })) => {
                assert_ne!(*expected, *found as u64);
                arguments[*index].resize(*expected as usize, 0);
                continue;
            }
            Err(fault) => check_fault(text, launch, fault),
            Ok(statistics) => check_statistics(text, launch, statistics),
        }
        return result;
    }
}

fn check_statistics(text: &str, launch: &Launch<'_>, statistics: &Statistics) {
    let warps = launch.block.iter().product::<u32>().div_ceil(32);
    let blocks = launch.grid.iter().product::<u32>();
    let most = launch.instruction_limit * u64::from(warps * blocks);
    let executed = statistics.instructions;
    assert!(executed <= most, "{executed} of at most {most} instructions");
    assert_eq!(statistics.profile.is_some(), launch.profile && blocks > 0);
    let Some(profile) = &statistics.profile else { return };
    assert_eq!(profile.total().executed, executed);
    for one in &profile.instructions {
        let line = line_of(text, one.ptx_line);
        assert!(line.contains(&one.opcode), "`{}` is not in `{line}`", one.opcode);
        assert!(one.count.threads <= 32 * one.count.executed, "{one:?}");
        assert!(one.count.shared.wavefronts >= one.count.shared.groups, "{one:?}");
    }
}

fn check_fault(text: &str, launch: &Launch<'_>, fault: &Fault) {
    assert!(!fault.to_string().is_empty());
    let Some(Place { kernel, ptx_line, instruction, block, thread, .. }) = fault.place() else {
        return;
    };
    assert_eq!(kernel, launch.entry);
    let line = line_of(text, *ptx_line);
    assert_eq!(line.trim(), instruction);
    assert!(!instruction.is_empty(), "a fault of an empty line: {fault}");
    for axis in 0..3 {
        assert!(block[axis] < launch.grid[axis], "{fault}");
        assert!(thread[axis] < launch.block[axis], "{fault}");
    }
}
