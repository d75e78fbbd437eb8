/** Whether decisions may be studied: asked once, after a game, and to be changed in the settings. */

import { consent, readConsent } from "./api.js";
import { element } from "./dom.js";
import { t } from "./language.js";

const QUESTION = t`May the operator of this server study how people play?`;
const MEANING = t`If you agree, the decisions in games that you start from now on are used to study how well people play, without your name or anything else about you. Nothing is sent anywhere else. You can withdraw your consent in the settings at any time: your games are then no longer used.`;

/** The question, if this server asks it and it was not answered yet; else nothing. */
export async function consentQuestion() {
  const known = await readConsent().catch(() => /** @type {null} */ (null));
  if (!known?.study || known.agreed !== null) return null;
  const said = element("p", { class: "small", role: "status" });
  const meaning = element("p", { class: "small" }, MEANING);
  const buttons = element(
    "div",
    { class: "row" },
    element("button", { type: "button", onclick: () => answer(true) }, t`Yes, I agree`),
    element("button", { type: "button", onclick: () => answer(false) }, t`No`),
  );
  /** @param {boolean} agreed */
  const answer = (agreed) =>
    consent(agreed).then(
      () => {
        meaning.remove();
        buttons.remove();
        said.textContent = agreed ? t`Thank you.` : t`Your games are not used.`;
      },
      (error) => {
        said.textContent = error.message;
      },
    );
  return element(
    "section",
    { class: "panel", "aria-labelledby": "consent-title" },
    element("h2", { id: "consent-title" }, QUESTION),
    meaning,
    buttons,
    said,
  );
}

/** The switch in the settings; nothing on servers that do not ask. */
export function consentSwitch() {
  const container = element("div");
  readConsent().then(
    (known) => {
      if (!known.study) return;
      const box = element("input", { type: "checkbox", role: "switch", checked: known.agreed === true });
      const said = element("p", { class: "small", role: "status" });
      box.addEventListener("change", () =>
        consent(box.checked).then(
          () => {
            said.textContent = box.checked ? t`Saved.` : t`Your games are no longer used.`;
          },
          (error) => {
            box.checked = !box.checked;
            said.textContent = error.message;
          },
        ),
      );
      container.append(
        element(
          "label",
          { class: "toggle" },
          box,
          element(
            "span",
            {},
            element("strong", {}, t`My decisions may be studied`),
            element("small", {}, t`Without your name, by the operator of this server.`),
          ),
        ),
        said,
      );
    },
    () => {},
  );
  return container;
}
