import { menuActions } from '../components/ui/menu.js';

/** Something that a person can do on the page now, by the name that screen readers read. */
export interface PageAction {
  name: string;
  /** Whether it is on. Only a switch has this. */
  isOn?: boolean;
  press: () => void;
}

/** The head of a list sorts it, and a row of a list in time opens what happened. Neither is an action on the page. */
const ACTIONS = 'button:not(:disabled, thead *, ol *)';
const IN_PLACE = `#page :is(${ACTIONS}), aside footer :is(${ACTIONS})`;

/** The buttons, switches, tabs and menus in sight: of the dialog on top, or of the page. A new one is here by itself. */
export function pageActions(): PageAction[] {
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
  const found = dialog ? dialog.querySelectorAll(ACTIONS) : document.querySelectorAll(IN_PLACE);
  const buttons = [...found].flatMap((one) => (one instanceof HTMLElement ? actionOf(one) : []));
  return dialog ? buttons : [...buttons, ...menuActions.get().map(({ label, run }) => ({ name: label, press: run }))];
}

function actionOf(button: HTMLElement): PageAction[] {
  const name = (button.ariaLabel ?? button.textContent).trim();
  if (name === '') return [];
  const { ariaChecked: on } = button;
  return [{ name, ...(on === null ? {} : { isOn: on === 'true' }), press: () => press(button) }];
}

/** As by keyboard: a tab opens with the focus, a menu with Enter, and everything else with a click. */
function press(button: HTMLElement): void {
  button.focus();
  if (button.ariaHasPopup === 'menu')
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  else button.click();
}
