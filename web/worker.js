// The app's background work: the same program, asked line by line as in app/worker/protocol.h.
"use strict";

const labPage = {wake() {}, nextFrame() {}, fileWritten() {}, describe() {}};
importScripts("reduction-lab.js");

let ready = null;
onmessage = async event => {
  if (event.data.module) {
    ready = ReductionLab({
      noInitialRun: true,
      printErr: text => console.warn(text),
      preRun: [module => { module.ENV.REDUCTION_LAB_DATA = "/share"; }],
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(event.data.module, imports).then(instance => done(instance, event.data.module));
        return {};
      },
    });
    return;
  }
  const app = await ready;
  app.ccall("lab_serve", null, ["string"], [event.data.line]);
};
