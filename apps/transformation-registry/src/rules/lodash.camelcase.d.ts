/** This package has no types of its own. */
declare module 'lodash.camelcase' {
  export default function camelCase(text: string): string;
}
