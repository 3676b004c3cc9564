/** Conventional commits; scopes are the projects' folder names. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: { 'body-max-line-length': [0], 'header-max-length': [2, 'always', 140] },
};
