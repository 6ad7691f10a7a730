#!/usr/bin/env python3
"""Compiles and runs the host programs of all kernels, and looks at what they say.

    host.py CLI COMPILER     reduction-lab-cli, and a C++ compiler

All programs are compiled as one, each in a namespace of its own: most of the time goes into the
OpenCL headers. One is compiled as its own first lines say. Ends with 77 where there is no compiler,
no OpenCL to compile against, or no device.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CLI, COMPILER = sys.argv[1], sys.argv[2]
RIGHT, WRONG, ERROR, NOT_HERE = 0, 1, 2, 3
# Of all that follows from the shape: numbers, types, operators. In each a kernel of another plan.
SHAPES = [["relaunch", "--type", "ulong", "--op", "product", "--input", "random:3", "--n", "20"],
          ["two-stage", "--type", "long", "--input", "bits:5", "--n", "77"],
          ["groups-coarsened", "--op", "min", "--input", "bits:9", "--n", "50", "--set", "COARSEN=4"],
          ["local-tree", "--type", "float", "--input", "random:8", "--n", "300", "--group", "16"],
          ["block-local", "--type", "float", "--op", "product", "--input", "random:2"],
          ["one-pass", "--type", "float", "--op", "max", "--input", "bits:4", "--n", "33"],
          ["sync-leaders", "--type", "float", "--set", "ROUNDS=64", "--group", "8"],
          ["span-modulo", "--set", "BARRIER=group", "--input", "7,1,6,8", "--group", "4"]]


def run(*command, folder=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def host(*arguments):
    return run(CLI, "host", *arguments)


def value_in(out, name):
    lines = [line for line in out.splitlines() if line.startswith(name + " ")]
    assert len(lines) == 1, f"'{name}' stands {len(lines)} times in:\n{out}"
    return lines[0][len(name):].strip()


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def check_tools(folder):
    if shutil.which(COMPILER) is None:
        skip(f"there is no {COMPILER}")
    (folder / "one.cpp").write_text("#include <CL/opencl.hpp>\nint main() {}\n")
    status, _, errors = run(COMPILER, "-std=c++17", "-w", "one.cpp", "-o", "one", "-lOpenCL", folder=folder)
    if status != 0:
        skip(f"CL/opencl.hpp and libOpenCL are not installed: {errors.splitlines()[:1]}")
    if run(CLI, "devices")[0] != 0:
        skip("there is no OpenCL device")


def compile_alone(folder, name):
    status, _, errors = run(COMPILER, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror",
                            name + ".cpp", "-o", name, "-lOpenCL", folder=folder)
    assert status == 0, f"{name}.cpp does not compile:\n{errors}"


def compile_together(folder, names):
    """One program that runs the one that its first argument names."""
    headers = {line for name in names for line in (folder / f"{name}.cpp").read_text().splitlines()
               if line.startswith("#include")}
    # The newest OpenCL that any of them asks for.
    text = ("#define CL_HPP_ENABLE_EXCEPTIONS\n#define CL_HPP_TARGET_OPENCL_VERSION 300\n"
            "#define CL_HPP_MINIMUM_OPENCL_VERSION 110\n" + "\n".join(sorted(headers)) + "\n")
    for name in names:
        text += (f"#undef CL_HPP_TARGET_OPENCL_VERSION\n#undef CL_HPP_MINIMUM_OPENCL_VERSION\n"
                 f"namespace host_{name} {{\n#include \"{name}.cpp\"\n}}\n")
    text += "int main(int argc, char** argv)\n{\n    const std::string name = argv[1];\n"
    for name in names:
        text += f"    if (name == \"{name}\") return host_{name}::main(argc - 1, argv + 1);\n"
    (folder / "all.cpp").write_text(text + "    return 99;\n}\n")
    status, _, errors = run(COMPILER, "-std=c++17", "-O0", "-w", "all.cpp", "-o", "all", "-lOpenCL",
                            folder=folder)
    assert status == 0, f"the programs do not compile:\n{errors}"


def allowed(variant):
    """How a program may end that is given nothing wrong."""
    ends = {RIGHT}
    if "races" in variant["expect"]:
        ends.add(WRONG)
    needs = {"sub-groups", "group-collectives"} & set(variant["needs"])
    if needs or "co-resident" in variant["expect"]:
        ends.add(NOT_HERE)
    return ends


def check_kernels(folder, variants):
    for variant in variants:
        # Two groups, or two launches; once each, since PoCL takes most of the time to compile.
        status, out, errors = run("./all", variant["stem"], "100", "64", folder=folder)
        said = f"{variant['id']} ended with {status}:\n{out}{errors}"
        assert status in allowed(variant), said
        if status == NOT_HERE:
            assert "lacks" in errors or "gave up" in errors, said
            continue
        result, expected = value_in(out, "result"), value_in(out, "expected")
        assert expected == ("6561" if variant["plan"] == "iterate" else "5050"), said
        assert result == (f"{expected}, right" if status == RIGHT else
                          result.split(",")[0] + ", WRONG"), said
        assert " us" in value_in(out, "time"), said


def check_shapes(folder):
    for number, (kernel, *shape) in enumerate(SHAPES):
        status, out, errors = run("./all", f"shape{number}", folder=folder)
        said = f"{kernel} {shape} ended with {status}:\n{out}{errors}"
        # The same numbers as everywhere in the lab.
        steps = json.loads(run(CLI, "step", kernel, *shape, "--source", "machine", "--json")[1])
        if status == NOT_HERE and kernel == "sync-leaders":
            continue
        assert status == RIGHT, said
        expected, here = str(steps["expected"]), value_in(out, "expected")
        same = (abs(float(here) - float(expected)) <= 1e-6 * abs(float(expected))
                if "float" in shape else here == expected)
        assert same, f"{expected} expected\n{said}"


def check_errors(folder):
    program, kernel = "./relaunch", folder / "relaunch.cl"
    text = kernel.read_text()

    def ends(status, words, *arguments):
        result, out, errors = run(program, *arguments, folder=folder)
        assert result == status and words in out + errors, \
            f"{arguments} ended with {result} and no '{words}':\n{out}{errors}"

    ends(RIGHT, "result    36, right\n")
    ends(RIGHT, "launches  1\n", "2")
    ends(RIGHT, "launches  0\n", "1")
    ends(ERROR, "'abc' is no number", "abc")
    ends(ERROR, "'0' is no number", "0")
    ends(ERROR, "the kernel asks for n <= 2147483648", "2147483649")
    ends(ERROR, "While running the kernel: clEnqueueNDRangeKernel failed with "
                "CL_INVALID_WORK_GROUP_SIZE", "100", "1000000")
    kernel.write_text(text.replace("id % span == 0", "id % span == 1"))
    ends(WRONG, "WRONG")
    kernel.write_text(text.replace("reduce(", "reduced("))
    ends(ERROR, "While building the kernel: clCreateKernel failed with CL_INVALID_KERNEL_NAME")
    kernel.write_text(text + "no kernel\n")
    ends(ERROR, "While building the kernel: clBuildProgram failed with CL_BUILD_PROGRAM_FAILURE")
    ends(ERROR, f"relaunch.cl:{len(text.splitlines()) + 1}:")
    kernel.unlink()
    ends(ERROR, "relaunch.cl is not in this folder")


def write_without_scopes(folder):
    """A program that finds a compiler without fences for all groups."""
    text = (folder / "single_pass.cpp").read_text()
    assert text.count("    atomic_work_item_fence(CLK") == 1
    (folder / "no_scopes.cpp").write_text(text.replace("    atomic_work_item_fence(CLK",
                                                       "    no_such_fence(CLK"))


def check_without_scopes(folder):
    status, out, errors = run("./all", "no_scopes", "100", "64", folder=folder)
    assert status == RIGHT and value_in(out, "result") == "5050, right", out + errors


def check_command(folder):
    for arguments, words in [(["nosuch"], "There is no variant 'nosuch'"),
                             (["block-local", "--n", "100", "--group", "4"], "n <= 2 * group"),
                             (["relaunch", "-o", folder / "one.cpp" / "two.cpp"], "two.cpp")]:
        status, out, errors = host(*arguments)
        assert status == 2 and not out and words in errors, f"{arguments}: {status}\n{out}{errors}"
    assert host("relaunch")[1] == (folder / "relaunch.cpp").read_text()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_tools(folder)
        variants = json.loads(run(CLI, "variants", "--json")[1])["variants"]
        for variant in variants:
            variant["stem"] = variant["id"].replace("-", "_")
            status, out, errors = host(variant["id"], "-o", folder / f"{variant['stem']}.cpp")
            assert status == 0 and not out, f"{variant['id']}: {errors}"
        for number, shape in enumerate(SHAPES):
            status, _, errors = host(*shape, "-o", folder / f"shape{number}.cpp")
            assert status == 0, f"{shape}: {errors}"
        write_without_scopes(folder)
        compile_together(folder, [v["stem"] for v in variants] + ["no_scopes"]
                         + [f"shape{number}" for number in range(len(SHAPES))])
        compile_alone(folder, "relaunch")
        check_kernels(folder, variants)
        check_shapes(folder)
        check_without_scopes(folder)
        check_command(folder)
        check_errors(folder)


main()
