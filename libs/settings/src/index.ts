/** Whether the settings of a destination fit its kind, and which names tell a secret. The server and the command line judge alike. */
export {
  compileSettings,
  type SettingProblem,
  type Settings,
  type SettingsCheck,
  TYPE_NAMES,
  unsafeKey,
} from './compile-settings.js';
export { isSecretName } from './secret-names.js';
