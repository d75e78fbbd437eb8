/** Consent to the study of decisions: requested once, after a game, and adjustable in the settings. */

import { consent, readConsent } from "./api.js";
import { element } from "./dom.js";
import { t } from "./language.js";

const QUESTION = t`May the operator of this server study how people play?`;
const EXPLANATION = t`If you agree, the decisions in games that you start from now on are used to study how well people play, without your name or anything else about you. Nothing is sent anywhere else. You can withdraw your consent in the settings at any time: your games are then no longer used.`;

/** Create the request for consent. Return null if the server has no study or the user has already answered. */
export async function consentQuestion() {
  const current = await readConsent().catch(() => /** @type {null} */ (null));
  if (!current?.study || current.agreed !== null) return null;
  const status = element("p", { class: "small", role: "status" });
  const explanation = element("p", { class: "small" }, EXPLANATION);
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
        explanation.remove();
        buttons.remove();
        status.textContent = agreed ? t`Thank you.` : t`Your games are not used.`;
      },
      (error) => {
        status.textContent = error.message;
      },
    );
  return element(
    "section",
    { class: "panel", "aria-labelledby": "consent-title" },
    element("h2", { id: "consent-title" }, QUESTION),
    explanation,
    buttons,
    status,
  );
}

/** Create the switch in the settings. It is empty on servers without a study. */
export function consentSwitch() {
  const container = element("div");
  readConsent().then(
    (current) => {
      if (!current.study) return;
      const box = element("input", { type: "checkbox", role: "switch", checked: current.agreed === true });
      const status = element("p", { class: "small", role: "status" });
      box.addEventListener("change", () =>
        consent(box.checked).then(
          () => {
            status.textContent = box.checked ? t`Saved.` : t`Your games are no longer used.`;
          },
          (error) => {
            box.checked = !box.checked;
            status.textContent = error.message;
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
        status,
      );
    },
    () => {},
  );
  return container;
}
