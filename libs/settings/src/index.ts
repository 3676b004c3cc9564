/** Whether the settings of a destination fit its kind. The server and the command line judge them alike. */
export { compileSettings, type SettingProblem, type Settings, type SettingsCheck } from './compile-settings.js';
export { unsafeKey } from './unsafe-key.js';
export { TYPE_NAMES } from './words.js';
