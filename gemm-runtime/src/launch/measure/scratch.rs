//! [`Scratch`]: the outputs of the launches of a measurement.

use gemm_codegen::{Element, MAX_ALIGN};

use crate::argument::{Argument, Value};
use crate::error::Error;
use crate::launch::alignment;
use crate::launch::choice::query::{LaunchQuery, QueriedOutput};
use crate::launch::outputs::OutputExtents;
use crate::memory::{Batch, BatchedLayout, Buffer, MatrixLayout, StorageMut};
use crate::output_form::OutputForm;

/// Outputs with the layouts and alignments of a launch, in separate memory.
#[derive(Debug)]
pub(super) struct Scratch(Vec<Output>);

#[derive(Debug)]
struct Output {
    buffer: Buffer,
    /// Of the first element, in bytes: the same distance from an aligned address as in the launch.
    offset: usize,
    element: Element,
    layout: MatrixLayout,
    batch: Option<Batch>,
    form: OutputForm,
}

impl Scratch {
    /// Allocates the outputs.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    pub(super) fn new(query: &LaunchQuery<'_>) -> Result<Scratch, Error> {
        query
            .outputs()
            .map(|output| Output::new(query, &output))
            .collect::<Result<_, _>>()
            .map(Scratch)
    }

    /// Sets every byte to 0, so that a kernel in place reads the same each time.
    pub(super) fn clear(&mut self) -> Result<(), Error> {
        self.0.iter_mut().try_for_each(|output| output.buffer.view_mut().clear())
    }

    /// The arguments of a launch: its operands, and these outputs.
    pub(super) fn arguments<'s>(&'s mut self, query: &'s LaunchQuery<'_>) -> Vec<Argument<'s>> {
        let operands = query.operands().iter().map(Argument::share);
        operands.chain(self.0.iter_mut().map(Output::argument)).collect()
    }

    /// The bytes of each output with its element. Waits for the device.
    pub(super) fn download(&self) -> Result<Vec<(Element, Vec<u8>)>, Error> {
        let bytes = |output: &Output| {
            let view = output.buffer.view();
            let mut bytes = vec![0; view.bytes() - output.offset];
            view.slice(output.offset..output.offset + bytes.len()).download(&mut bytes)?;
            Ok((output.element, bytes))
        };
        self.0.iter().map(bytes).collect()
    }
}

impl Output {
    fn new(query: &LaunchQuery<'_>, output: &QueriedOutput<'_>) -> Result<Output, Error> {
        let given = output.argument.map(|argument| &argument.0);
        let (offset, layout, batch) = match given {
            Some(Value::MutableMatrix { storage, layout, batch, .. }) => {
                ((storage.address() % u64::from(MAX_ALIGN)) as usize, *layout, batch.clone())
            }
            _ => {
                let OutputExtents { form, batches, extents } = output.of;
                let batches = (form == OutputForm::Batch).then_some(batches);
                let (layout, batch) = alignment::new_output(output.element, extents, batches)?;
                (0, layout, batch)
            }
        };
        let elements = match batch.clone() {
            Some(batch) => BatchedLayout::new(batch, layout)?.elements(),
            None => layout.elements(),
        };
        // Memory that is allocated begins at a multiple of `MAX_ALIGN`.
        let bytes = offset + elements * output.element.bytes() as usize;
        let buffer = query.device.allocate(bytes)?;
        let (element, form) = (output.element, output.of.form);
        Ok(Output { buffer, offset, element, layout, batch, form })
    }

    fn argument(&mut self) -> Argument<'_> {
        let &mut Output { offset, element, layout, ref batch, form, .. } = self;
        let batch = batch.clone();
        let view: StorageMut<'_> = self.buffer.view_mut();
        let bytes = view.bytes();
        let storage = view.slice(offset..bytes);
        Argument(match form {
            OutputForm::Vector => Value::MutableVector { storage, element, length: layout.columns },
            OutputForm::Matrix | OutputForm::Batch => {
                Value::MutableMatrix { storage, element, layout, batch }
            }
        })
    }
}
