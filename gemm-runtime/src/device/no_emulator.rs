//! A build without the feature `emulator`: the types of the emulated device have no values.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use gemm_codegen::auto::Machine;
use gemm_codegen::{Kernel, LaunchShape};

use crate::error::Error;
use crate::launch::Bound;
use crate::place::Place;
use crate::report::Report;

#[derive(Clone)]
pub(super) enum Emulated {}

#[derive(Debug)]
pub(crate) enum Allocation {}

#[derive(Clone, Debug)]
pub(crate) struct EmulatedView<'a>(Infallible, PhantomData<&'a ()>);

pub(crate) struct EmulatedLaunch<'a>(Infallible, PhantomData<&'a ()>);

impl Emulated {
    pub(super) fn place(&self) -> Place {
        match *self {}
    }

    pub(super) fn machine(&self) -> Machine {
        match *self {}
    }

    pub(super) fn supports(&self, _: &str, _: &LaunchShape) -> Result<(), Error> {
        match *self {}
    }

    pub(super) fn allocate(&self, _: usize) -> Result<Allocation, Error> {
        match *self {}
    }

    pub(super) fn prepare<'a>(
        &self,
        _: &Kernel,
        _: Bound<'a>,
    ) -> Result<EmulatedLaunch<'a>, Error> {
        match *self {}
    }

    pub(super) fn report(&self, _: &Kernel) -> Result<Report, Error> {
        match *self {}
    }
}

impl fmt::Display for Emulated {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl Allocation {
    pub(crate) fn view(&self) -> EmulatedView<'_> {
        match *self {}
    }
}

impl<'a> EmulatedView<'a> {
    pub(crate) fn bytes(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn address(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn place(&self) -> Place {
        match self.0 {}
    }

    pub(crate) fn slice(self, _: Range<usize>) -> EmulatedView<'a> {
        match self.0 {}
    }

    pub(crate) fn download(&self, _: &mut [u8]) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn upload(&mut self, _: &[u8]) -> Result<(), Error> {
        match self.0 {}
    }
}

impl EmulatedLaunch<'_> {
    pub(crate) fn launch(&mut self) -> Result<(), Error> {
        match self.0 {}
    }
}
