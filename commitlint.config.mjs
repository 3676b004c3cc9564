/** Conventional commits. Scopes are the folder names of projects. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: { 'body-max-line-length': [0], 'header-max-length': [2, 'always', 140] },
};
