// What the app asks of a browser: a canvas, files, the clipboard, its address, workers. The app's side is
// app/base/platform.h, app/gui/shell/window_web.cpp and app/worker/client_web.cpp.
"use strict";

const labPage = {
  pasted: "",
  app: null,        // the module, once it runs
  workers: new Map(),
  compiled: null,   // WebAssembly.Module, shared with the workers
  fragment: "",
  canvas: document.getElementById("canvas"),
  stored: "reduction-lab:",  // before the path of a file that is kept in this browser
  home: "/home/web_user",

  toHeap(text) { return labPage.app.allocateUTF8(text); },
  call(name, types, values) { return labPage.app.ccall(name, null, types, values); },

  // Frames: one when something came in, or when the app asked for it.
  frameDue: false,
  timer: 0,
  wake() {
    clearTimeout(labPage.timer);
    if (labPage.frameDue || !labPage.app) return;
    labPage.frameDue = true;
    requestAnimationFrame(labPage.frame);
  },
  nextFrame(milliseconds) {
    clearTimeout(labPage.timer);
    if (milliseconds === 0) labPage.wake();
    else if (milliseconds > 0) labPage.timer = setTimeout(labPage.wake, Math.min(milliseconds, 1e9));
  },
  frame() {
    labPage.frameDue = false;
    if (!labPage.app) return;
    try {
      labPage.call("lab_frame", [], []);
    } catch (error) {
      labPage.fail(error);
      return;
    }
    if (labPage.shown) return;
    labPage.shown = true;
    labPage.firstPicture = performance.now();
    document.getElementById("loading").remove();
    labPage.canvas.focus();
  },
  fail(error) {
    const place = document.getElementById("loading") || document.body.appendChild(document.createElement("div"));
    place.id = "loading";
    place.className = "failed";
    place.textContent = "Reduction Lab has stopped.\n" + (error && error.message || error) +
      "\nYour settings are kept: load the page again.";
    console.error(error);
    labPage.app = null;
  },

  // As many pixels as the display has.
  resize() {
    const scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(innerWidth * scale)), height = Math.max(1, Math.round(innerHeight * scale));
    if (labPage.canvas.width !== width || labPage.canvas.height !== height) {
      labPage.canvas.width = width;
      labPage.canvas.height = height;
    }
    if (!labPage.app) return;
    labPage.call("lab_resized", ["number", "number", "number"], [width, height, scale]);
    labPage.wake();
  },

  // Files. Those in the user's configuration folder are kept here for the next visit; others are
  // downloads.
  isKept(path) { return path.includes("/.config/") || path.includes("/.local/"); },
  fileWritten(path) {
    const bytes = labPage.app.FS.readFile(path);
    if (path.includes("/.cache/")) return;
    if (!labPage.isKept(path)) return labPage.download(path.split("/").pop(), bytes);
    try {
      localStorage.setItem(labPage.stored + path, new TextDecoder().decode(bytes));
    } catch (error) {
      console.warn("Not kept for the next visit:", path, error.message);
    }
  },
  restoreFiles(FS) {
    for (let i = 0; i < localStorage.length; ++i) {
      const key = localStorage.key(i);
      if (!key.startsWith(labPage.stored)) continue;
      const path = key.slice(labPage.stored.length);
      if (!/^\/home\/web_user(\/[^/]+)+$/.test(path) || path.includes("..")) continue;
      FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      FS.writeFile(path, localStorage.getItem(key));
    }
  },
  async download(name, bytes) {
    let blob = new Blob([bytes]);
    if (name.endsWith(".png")) blob = await labPage.png(bytes);
    if (name.endsWith(".svg")) blob = new Blob([bytes], {type: "image/svg+xml"});
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },
  // An SVG, or "pixels WIDTH HEIGHT" and the pixels: see app/figures/painters/pictures_web.cpp.
  async png(bytes) {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const head = new TextDecoder().decode(bytes.subarray(0, 40)).match(/^pixels (\d+) (\d+)\n/);
    if (head) {
      canvas.width = +head[1];
      canvas.height = +head[2];
      const pixels = new Uint8ClampedArray(bytes.slice(head[0].length));
      context.putImageData(new ImageData(pixels, canvas.width, canvas.height), 0, 0);
    } else {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([await labPage.withFonts(new TextDecoder().decode(bytes))],
                                               {type: "image/svg+xml"}));
      await image.decode();
      canvas.width = image.naturalWidth * 2;
      canvas.height = image.naturalHeight * 2;
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(image.src);
    }
    return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
  },
  // An SVG that is drawn as a picture sees no fonts but its own.
  async withFonts(svg) {
    const FS = labPage.app.FS, rules = [];
    for (const [family, weight, file] of [["Inter", 400, "sans.otf"], ["Inter", 600, "bold.otf"],
                                          ["JetBrains Mono", 400, "mono.ttf"], ["Noto Sans CJK SC", 400, "cjk.otf"]]) {
      const path = "/share/fonts/" + file;
      if (!FS.analyzePath(path).exists) continue;
      const url = await new Promise(resolve => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(new Blob([FS.readFile(path)], {type: "font/" + file.slice(-3)}));
      });
      rules.push(`@font-face{font-family:"${family}";font-weight:${weight};src:url(${url})}`);
    }
    return svg.replace(/(<svg[^>]*>)/, `$1<style>${rules.join("")}</style>`);
  },
  take(file) {
    file.arrayBuffer().then(buffer => {
      const FS = labPage.app.FS, folder = labPage.home + "/opened";
      FS.mkdirTree(folder);
      const path = folder + "/" + file.name.replace(/[/\0]/g, "_");
      FS.writeFile(path, new Uint8Array(buffer));
      labPage.call("lab_drop", ["string"], [path]);
      labPage.wake();
    });
  },
  pickFile(suffixes) {
    const input = document.getElementById("file");
    input.accept = suffixes;
    input.value = "";
    input.click();
  },

  copyText(text) {
    labPage.pasted = text;
    const oldWay = () => {
      const area = document.getElementById("keyboard");
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.value = "";
      labPage.canvas.focus();
    };
    if (navigator.clipboard && isSecureContext) navigator.clipboard.writeText(text).catch(oldWay);
    else oldWay();
  },

  showFragment(fragment) {
    labPage.fragment = fragment;
    history.replaceState(null, "", fragment ? "#" + fragment : location.pathname + location.search);
  },
  describe(text) {
    const words = document.getElementById("words");
    if (words.textContent !== text) words.textContent = text;
  },
  reload() {  // what was chosen meanwhile counts, not what the address began with
    const address = new URL(location.href);
    address.search = "";
    labPage.app = null;
    if (address.href === location.href) location.reload();
    else location.replace(address.href);
  },
  fillScreen(on) {
    if (on && !document.fullscreenElement && document.documentElement.requestFullscreen)
      document.documentElement.requestFullscreen().catch(() => {});
    if (!on && document.fullscreenElement) document.exitFullscreen();
  },
  wantsText(wanted) {
    if (!labPage.touched) return;
    const area = document.getElementById("keyboard");
    if (wanted && document.activeElement !== area) area.focus();
    if (!wanted && document.activeElement === area) labPage.canvas.focus();
  },

  // Workers run the same program: see web/worker.js.
  startWorker(id) {
    const worker = new Worker("worker.js");
    labPage.workers.set(id, worker);
    worker.onmessage = event => {
      labPage.call("lab_worker_line", ["number", "string"], [id, event.data]);
      labPage.wake();
    };
    worker.onerror = event => {
      labPage.call("lab_worker_failed", ["number", "string"], [id, event.message || "It could not be started"]);
      labPage.wake();
    };
    worker.postMessage({program: labPage.compiled});
  },
  sendToWorker(id, line) { labPage.workers.get(id).postMessage({line}); },
  endWorker(id) {
    labPage.workers.get(id).terminate();
    labPage.workers.delete(id);
  },
};

// Keys that the app has a use for and a browser would take. What reloads, closes or opens pages stays
// the browser's, and so do those of the clipboard.
function isApps(event) {
  if (/^F([134678]|11)$/.test(event.key)) return true;
  if (event.key === "Tab" || event.key === "Backspace") return true;
  if (event.altKey && !event.ctrlKey) return /^(Arrow|[a-z0-9]$|Enter|Home|End)/i.test(event.key);
  if (!(event.ctrlKey || event.metaKey)) return false;
  return !/^([cvxrtwnlq]|[0+=-]|F5|F12|Shift|Control|Alt|Meta)$/i.test(event.key) && !(event.shiftKey && /^[ij]$/i.test(event.key));
}
addEventListener("keydown", event => {
  if (isApps(event)) event.preventDefault();
  labPage.wake();
}, true);
for (const kind of ["keyup", "keypress", "mousemove", "mousedown", "mouseup", "mouseleave", "focus", "blur"])
  addEventListener(kind, () => labPage.wake(), true);
addEventListener("paste", event => { labPage.pasted = event.clipboardData.getData("text/plain"); labPage.wake(); });
addEventListener("resize", labPage.resize);
document.addEventListener("contextmenu", event => { if (event.target === labPage.canvas) event.preventDefault(); });
addEventListener("pagehide", () => { if (labPage.app) labPage.call("lab_leave", [], []); });
document.addEventListener("visibilitychange", () => {
  if (document.hidden && labPage.app) labPage.call("lab_leave", [], []);
});
document.getElementById("file").addEventListener("change", event => {
  for (const file of event.target.files) labPage.take(file);
});
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const file of event.dataTransfer.files) labPage.take(file);
}, true);
addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== labPage.fragment) location.reload();
});
labPage.canvas.addEventListener("wheel", event => {
  event.preventDefault();
  event.stopImmediatePropagation();
  const unit = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
  const [x, y] = [-event.deltaX / unit, -event.deltaY / unit];
  if (labPage.app) labPage.call("lab_wheel", ["number", "number"], [x, y]);
  labPage.wake();
}, {passive: false, capture: true});

// Fingers: one is the mouse, two come closer or go farther, or scroll.
const fingers = new Map();
let span = 0, middle = null;
function touched(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!labPage.app) return;
  labPage.touched = true;
  const scale = window.devicePixelRatio || 1;
  for (const touch of event.changedTouches) {
    if (event.type === "touchend" || event.type === "touchcancel") fingers.delete(touch.identifier);
    else fingers.set(touch.identifier, [touch.clientX * scale, touch.clientY * scale]);
  }
  const all = [...fingers.values()];
  if (all.length >= 2) {
    const [a, b] = all;
    const now = Math.hypot(a[0] - b[0], a[1] - b[1]), centre = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    labPage.call("lab_touch", ["number", "number", "boolean"], [...centre, false]);
    if (middle) {
      const closer = Math.log(now / span) / Math.log(1.25);
      labPage.call("lab_pinch", ["number", "number", "number"], [closer, (centre[0] - middle[0]) / scale, (centre[1] - middle[1]) / scale]);
    }
    [span, middle] = [now, centre];
  } else {
    const touch = event.changedTouches[0];
    const down = all.length === 1 && !middle;
    labPage.call("lab_touch", ["number", "number", "boolean"], [touch.clientX * scale, touch.clientY * scale, down]);
    if (all.length === 0) middle = null;
  }
  labPage.wake();
}
for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"])
  labPage.canvas.addEventListener(kind, touched, {passive: false, capture: true});

// What a phone's keyboard types arrives as input, not as keys.
document.getElementById("keyboard").addEventListener("input", event => {
  if (event.inputType === "deleteContentBackward")
    for (const down of [true, false]) labPage.call("lab_key", ["number", "boolean"], [1, down]);
  else if (event.inputType === "insertLineBreak")
    for (const down of [true, false]) labPage.call("lab_key", ["number", "boolean"], [0, down]);
  else if (event.data) labPage.call("lab_type", ["string"], [event.data]);
  event.target.value = "";
  labPage.wake();
});

// Dear ImGui asks for the scissor box and the blending before each frame, to put them back after it; so
// they are always the same. A browser answers once all that was drawn is done, which takes longer than the
// frame.
const asked = WebGL2RenderingContext.prototype.getParameter, answers = new Map();
const GL = WebGL2RenderingContext;
const kept = new Set([GL.SCISSOR_BOX, GL.BLEND_SRC_RGB, GL.BLEND_DST_RGB, GL.BLEND_SRC_ALPHA, GL.BLEND_DST_ALPHA,
                      GL.BLEND_EQUATION_RGB, GL.BLEND_EQUATION_ALPHA]);
GL.prototype.getParameter = function (name) {
  if (!kept.has(name)) return asked.call(this, name);
  if (!answers.has(name)) answers.set(name, asked.call(this, name));
  return answers.get(name);
};

// The start: settings of the last visit, what the address says, and for Chinese its font.
(async () => {
  const query = new URLSearchParams(location.search);
  const words = [];
  for (const name of ["lang", "theme", "view", "variant", "page", "scale", "n", "group", "input"])
    if (query.has(name)) words.push("--" + name, query.get(name));
  if (query.has("present")) words.push("--present");
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(labPage.stored + labPage.home + "/.config/reduction-lab/settings.json")) || {};
  } catch (error) { /* the app says so */ }
  let language = query.get("lang") || kept.language;
  if (!query.has("theme") && !kept.theme && matchMedia("(prefers-color-scheme: dark)").matches)
    words.push("--theme", "dark");
  if (!language) {
    language = ["en", "zh", "ru"].find(each => (navigator.language || "").startsWith(each)) || "en";
    words.push("--lang", language);
  }
  document.documentElement.lang = language;
  labPage.fragment = location.hash.slice(1);
  if (labPage.fragment.startsWith("m=")) words.push("#" + labPage.fragment);
  const progress = document.querySelector("#loading progress");
  const arrived = part => part.then(value => { progress.value += 0.3; return value; });
  try {
    const [program, data, chinese] = await Promise.all([
      arrived(labFetch("program.bin").then(bytes => WebAssembly.compile(bytes))),
      arrived(labFetch("data.bin")),
      language === "zh" ? labFetch("cjk.otf") : null,
    ]);
    labPage.compiled = program;
    labPage.app = await ReductionLab({
      ...labModule(program, data),
      canvas: labPage.canvas,
      print: text => console.log(text),
      printErr: text => { labPage.lastError = text; console.warn(text); },
    });
    const FS = labPage.app.FS;
    if (chinese) FS.writeFile("/share/fonts/cjk.otf", chinese);
    FS.mkdirTree(labPage.home + "/Documents");
    labPage.restoreFiles(FS);
    labPage.resize();
    const status = labPage.app.callMain(words);
    if (status) throw new Error(labPage.lastError || "It did not start");
    labPage.wake();
  } catch (error) {
    labPage.fail(error);
  }
})();
