// What the page and its workers load alike: files that are compressed here, and the program with its data.
"use strict";

// The folder of these files: its name changes with what is in them, so that whatever keeps them for a while
// never mixes two versions.
const labAt = (self.document ? document.currentScript.src : self.location.href).replace(/[^/]*$/, "");

async function labFetch(name) {
  const answer = await fetch(labAt + name);
  if (!answer.ok) throw new Error(`${name} could not be loaded: ${answer.status} ${answer.statusText}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;  // a server may have unpacked it
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

// The program's settings for Emscripten. `data`: see web/pack.py.
function labModule(program, data) {
  return {
    noInitialRun: true,
    preRun: [module => {
      module.ENV.REDUCTION_LAB_DATA = "/share";
      const end = data.indexOf(10);
      const index = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
      for (const [path, [offset, size]] of Object.entries(index)) {
        const whole = "/share/" + path, first = end + 1 + offset;
        module.FS.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
        module.FS.writeFile(whole, data.subarray(first, first + size));
      }
    }],
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then(instance => done(instance, program));
      return {};
    },
  };
}
