/* An OpenCL driver with a platform and no device, as a machine has whose hardware the installed
 * driver does not serve. */
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <string.h>

struct _cl_platform_id {
    cl_icd_dispatch* dispatch;
};

static cl_int CL_API_CALL platform_info(cl_platform_id platform, cl_platform_info name, size_t size,
                                        void* value, size_t* needed) {
    const char* text = "";
    (void)platform;
    switch (name) {
        case CL_PLATFORM_NAME: text = "Empty platform"; break;
        case CL_PLATFORM_VENDOR: text = "Nobody"; break;
        case CL_PLATFORM_VERSION: text = "OpenCL 1.2 empty"; break;
        case CL_PLATFORM_PROFILE: text = "FULL_PROFILE"; break;
        case CL_PLATFORM_EXTENSIONS: text = "cl_khr_icd"; break;
        case CL_PLATFORM_ICD_SUFFIX_KHR: text = "EMPTY"; break;
        default: return CL_INVALID_VALUE;
    }
    if (needed) *needed = strlen(text) + 1;
    if (value) {
        if (size < strlen(text) + 1) return CL_INVALID_VALUE;
        strcpy(value, text);
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                                     cl_device_id* devices, cl_uint* count) {
    (void)platform, (void)type, (void)room, (void)devices;
    if (count) *count = 0;
    return CL_DEVICE_NOT_FOUND;
}

static cl_icd_dispatch dispatch = {.clGetPlatformInfo = platform_info, .clGetDeviceIDs = device_ids};
static struct _cl_platform_id the_platform = {&dispatch};

static cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
    if (count) *count = 1;
    if (platforms && room > 0) platforms[0] = &the_platform;
    return CL_SUCCESS;
}

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return (void*)platform_ids;
    if (strcmp(name, "clGetPlatformInfo") == 0) return (void*)platform_info;
    return NULL;
}
