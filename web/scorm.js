// A lesson in a learning platform that speaks SCORM 1.2: web/scorm.py makes the package. A window around
// this one, or the one that opened it, has an object named API, which takes the score and keeps the answers.
"use strict";

const labPlatform = {
  // {lesson, pages: those whose answers are checked}; null: this page is not in a package.
  course: JSON.parse((document.querySelector('meta[name="scorm"]') || {content: "null"}).content),
  api: null,         // while it can be told something
  student: "",       // before what this browser keeps of one: students may share it
  trouble: "",       // a key of the page's words, said once
  watched: false,    // a teacher looks at it: nothing counts
  taken: new Map(),  // values that the platform took, by name
  answers: "",       // that it took
  kept: false,       // it has all there is

  find() {
    let place = window;
    for (let i = 0; place && i < 500; ++i) {  // as far as ADL's own search goes
      try {
        if (place.API && place.API.LMSInitialize) return place.API;
      } catch (error) { /* a window of another site */ }
      place = place.parent !== place ? place.parent : place.opener;
    }
    return null;
  },
  // Returns whether the platform agrees.
  tell(name, ...values) {
    try {
      const api = labPlatform.api;
      if (String(api[name](...values)) === "true") return true;
      console.warn(`${name}(${values.join(", ")}): ${api.LMSGetErrorString(api.LMSGetLastError())}`);
    } catch (error) {
      console.warn(`${name}: ${error}`);
    }
    return false;
  },
  ask(name) {
    try {
      return String(labPlatform.api.LMSGetValue(name) || "");
    } catch (error) {
      return "";
    }
  },
  begin() {
    if (!labPlatform.course) return;
    labPlatform.api = labPlatform.find();
    if (!labPlatform.api) {
      labPlatform.trouble = "no_platform";
    } else if (!labPlatform.tell("LMSInitialize", "")) {
      labPlatform.api = null;
      labPlatform.trouble = "not_reported";
    } else {
      labPlatform.student = labPlatform.ask("cmi.core.student_id") + ":";
      labPlatform.watched = /^(browse|review)$/.test(labPlatform.ask("cmi.core.lesson_mode"));
    }
  },

  file() { return `${labPage.home}/.config/reduction-lab/lessons/${labPlatform.course.lesson}.json`; },
  // What the platform has not got yet is in this browser alone, and newer.
  unsent() { return `unsent ${labPlatform.course.lesson}`; },
  restore(FS) {
    if (labPlatform.trouble) labPage.note(labPlatform.trouble);
    if (!labPlatform.api || labKept.read(labPlatform.unsent())) return;
    const file = labPlatform.file(), kept = labPlatform.ask("cmi.suspend_data");
    FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    if (kept) FS.writeFile(file, kept);
    else if (FS.analyzePath(file).exists) FS.unlink(file);  // of an earlier attempt
  },

  // The answers in the 4096 signs that SCORM 1.2 allows: without what was wrong before, or even without
  // long texts, where they are too many. The marks stay.
  shortened(progress) {
    for (const left_out of [[], ["wrong"], ["wrong", "texts"]]) {
      const text = JSON.stringify(progress, function (key, value) {
        const empty = !value || (Array.isArray(value) && value.length === 0);
        return !Array.isArray(this) && (empty || left_out.includes(key)) ? undefined : value;
      }).replace(/[^ -~]/g, sign => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
      if (text.length <= 4096) return {text, whole: left_out.length === 0};
    }
    return {text: "", whole: false};
  },
  // Of a progress file, app/lessons/grade.h. The score is what `lesson grade` counts as right: an answer
  // that was shown is not.
  values(progress, text) {
    const done = labPlatform.course.pages.map(name => progress.pages[name]).filter(page => page && (page.right || page.given_up));
    const complete = done.length === labPlatform.course.pages.length;
    const score = Math.round(100 * done.filter(page => !page.given_up).length / labPlatform.course.pages.length);
    const mastery = parseFloat(labPlatform.ask("cmi.student_data.mastery_score"));
    const values = {"cmi.core.exit": "suspend", "cmi.core.lesson_location": progress.page, "cmi.suspend_data": text};
    if (!complete && /^(passed|completed|failed)$/.test(labPlatform.ask("cmi.core.lesson_status"))) return values;
    values["cmi.core.lesson_status"] = !complete ? "incomplete" : isNaN(mastery) ? "completed" : score >= mastery ? "passed" : "failed";
    // Some platforms take any score below that of the manifest for a failure.
    if (complete || (isNaN(mastery) && Object.keys(progress.pages).length > 0))
      Object.assign(values, {"cmi.core.score.min": "0", "cmi.core.score.max": "100", "cmi.core.score.raw": String(score)});
    return values;
  },
  report(path, content) {
    if (!labPlatform.api || labPlatform.watched || path !== labPlatform.file()) return;
    const {drafts, ...progress} = JSON.parse(content);
    const answers = JSON.stringify(progress.pages), {text, whole} = labPlatform.shortened(progress);
    let agreed = true;
    for (const [name, value] of Object.entries(labPlatform.values(progress, text))) {
      if (labPlatform.taken.get(name) === value) continue;
      if (labPlatform.tell("LMSSetValue", name, value)) labPlatform.taken.set(name, value);
      else agreed = false;
    }
    const answered = answers !== labPlatform.answers;
    if (answered) agreed = labPlatform.tell("LMSCommit", "") && agreed;
    if (agreed) labPlatform.answers = answers;
    labPlatform.kept = agreed && whole;
    labKept.write(labPlatform.unsent(), labPlatform.kept && answered ? "" : "1");
    if (!agreed && !labPlatform.trouble) labPage.note(labPlatform.trouble = "not_reported");
  },
  finish() {
    if (!labPlatform.api) return;
    const seconds = Math.floor(performance.now() / 1000);
    const time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(part => String(Math.floor(part)).padStart(2, "0"));
    if (!labPlatform.watched) labPlatform.tell("LMSSetValue", "cmi.core.session_time", time.join(":"));
    if (labPlatform.tell("LMSFinish", "") && labPlatform.kept) labKept.write(labPlatform.unsent(), "");
    labPlatform.api = null;
  },
};
labPlatform.begin();
addEventListener("pageshow", event => { if (event.persisted && labPlatform.course) location.reload(); });
