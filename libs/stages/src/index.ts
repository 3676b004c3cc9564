export { CodeRunner, type HowToRun } from './code-runner.js';
export { CodeSecrets, CredentialCache } from './credentials.js';
export { failureOf, NO_RESULT, outcomeOf, type SendOutcome, sendStage } from './send-stage.js';
export {
  type AfterDestStage,
  type AfterUserStage,
  destStage,
  type UserOutcome,
  userStage,
} from './transform-stages.js';
