// A libcuda whose device memory is that of the host and whose launches do nothing. It has the
// functions that gemm-runtime calls, itself or through cudarc, and no others.

#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef unsigned long long Pointer;

static int something;

CUresult cuInit(unsigned flags) { return 0; }
CUresult cuDriverGetVersion(int* version) { *version = 13000; return 0; }
CUresult cuGetErrorString(int error, const char** text) { *text = "a fake error"; return 0; }

CUresult cuDeviceGetCount(int* count) { *count = 1; return 0; }
CUresult cuDeviceGet(int* device, int ordinal) { *device = ordinal; return 0; }
CUresult cuDeviceGetName(char* name, int bytes, int device) { strcpy(name, "fake"); return 0; }
CUresult cuDeviceGetAttribute(int* value, int attribute, int device) {
    switch (attribute) {
        case 13: *value = 1980000; break;                        // clock, kHz
        case 16: *value = 132; break;                            // SMs
        case 36: *value = 3201000; break;                        // clock of the memory, kHz
        case 37: *value = 6144; break;                           // bits of its bus
        case 75: *value = 9; break;                              // compute capability
        case 76: *value = 0; break;
        case 97: *value = 232448; break;                         // shared memory of a block
        case 115: *value = getenv("FAKE_POOLS") != 0; break;     // memory pools
        default: *value = 1;
    }
    return 0;
}
CUresult cuDevicePrimaryCtxRetain(void** context, int device) { *context = &something; return 0; }
CUresult cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
CUresult cuCtxGetCurrent(void** context) { *context = 0; return 0; }
CUresult cuCtxSetCurrent(void* context) { return 0; }

CUresult cuEventCreate(void** event, unsigned flags) { *event = &something; return 0; }
CUresult cuEventDestroy_v2(void* event) { return 0; }
CUresult cuEventRecord(void* event, void* stream) { return 0; }
CUresult cuEventSynchronize(void* event) { return 0; }
CUresult cuEventElapsedTime(float* ms, void* start, void* end) { *ms = 1; return 0; }
CUresult cuEventElapsedTime_v2(float* ms, void* start, void* end) { *ms = 1; return 0; }
CUresult cuStreamBeginCapture_v2(void* stream, int mode) { return 0; }
CUresult cuStreamCreate(void** stream, unsigned flags) { *stream = &something; return 0; }
CUresult cuStreamEndCapture(void* stream, void** graph) { *graph = &something; return 0; }
CUresult cuStreamDestroy_v2(void* stream) { return 0; }
CUresult cuStreamIsCapturing(void* stream, int* status) { *status = 0; return 0; }
CUresult cuStreamSynchronize(void* stream) { return 0; }
CUresult cuStreamWaitEvent(void* stream, void* event, unsigned flags) { return 0; }

CUresult cuGraphDestroy(void* graph) { return 0; }
CUresult cuGraphExecDestroy(void* executable) { return 0; }
CUresult cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long flags) {
    *executable = &something;
    return 0;
}
CUresult cuGraphLaunch(void* executable, void* stream) { return 0; }

CUresult cuMemAlloc_v2(Pointer* to, size_t bytes) {
    *to = (Pointer)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return 0;
}
CUresult cuMemAllocAsync(Pointer* to, size_t bytes, void* stream) {
    return cuMemAlloc_v2(to, bytes);
}
CUresult cuMemFree_v2(Pointer at) { free((void*)at); return 0; }
CUresult cuMemFreeAsync(Pointer at, void* stream) { return cuMemFree_v2(at); }
CUresult cuMemcpyHtoDAsync_v2(Pointer to, const void* from, size_t bytes, void* stream) {
    memcpy((void*)to, from, bytes);
    return 0;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, Pointer from, size_t bytes, void* stream) {
    memcpy(to, (void*)from, bytes);
    return 0;
}
CUresult cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, void* stream) {
    memcpy((void*)to, (void*)from, bytes);
    return 0;
}
CUresult cuMemsetD8Async(Pointer at, unsigned char value, size_t bytes, void* stream) {
    memset((void*)at, value, bytes);
    return 0;
}

CUresult cuModuleLoadData(void** module, const void* image) { *module = &something; return 0; }
CUresult cuModuleUnload(void* module) { return 0; }
CUresult cuModuleGetFunction(void** function, void* module, const char* name) {
    *function = &something;
    return 0;
}
CUresult cuFuncGetAttribute(int* value, int attribute, void* function) { *value = 32; return 0; }
CUresult cuFuncSetAttribute(void* function, int attribute, int value) { return 0; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function,
                                                              int threads, size_t bytes, unsigned flags) {
    *blocks = 1;
    return 0;
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, void* function, const void* config) {
    *clusters = 66;
    return 0;
}
CUresult cuTensorMapEncodeTiled(void* map) { return 0; }
CUresult cuLaunchKernelEx(const void* config, void* function, void** parameters, void** extra) {
    return 0;
}
