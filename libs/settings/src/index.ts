/** Whether the settings of a destination fit its kind. The server and the command line judge them alike. */
export {
  compileSettings,
  type SettingProblem,
  type Settings,
  type SettingsCheck,
  TYPE_NAMES,
  unsafeKey,
} from './compile-settings.js';
