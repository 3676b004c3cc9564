/** The key with its value, or no key for null. Optional fields of the contracts are left out and never null. */
export const nullable = <K extends string, V>(key: K, value: V | null): { [P in K]?: V } =>
  value === null ? {} : ({ [key]: value } as { [P in K]: V });
