/** Keys of values that nobody should see. `publicKey` and the like are none. */
const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|authorization|cookie|(api|access|private|signing|encryption)[-_]?key|credentials?$|card[-_]?number|cvv|cvc|iban|ssn/i;

/** Whether a key of this name likely holds a secret. */
export const isSecretName = (key: string): boolean => SECRET_NAME.test(key);
