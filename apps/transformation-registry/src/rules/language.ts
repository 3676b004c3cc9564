import { AppError, invalidField } from '@weir/contracts';

/** The only language that can be published and run. */
export const JAVASCRIPT = 'javascript';
/** Two names for the same language in real clients (wire-facts 1.5). */
const PYTHON = ['python', 'pythonfaas'];

/** Checks the language of a new object. Drafts of every known language keep it as given. */
export function checkLanguage(language: string = JAVASCRIPT): string {
  if (language === JAVASCRIPT || PYTHON.includes(language)) return language;
  throw invalidField('language', `must be ${[JAVASCRIPT, ...PYTHON].join(', ')}`);
}

/** A language never changes (ruling 7). */
export function checkLanguageKept(stored: string, asked: string | undefined): void {
  if (asked === undefined || asked === stored) return;
  if (PYTHON.includes(stored) && PYTHON.includes(asked)) return;
  throw invalidField('language', `cannot change: it is ${stored}; create a new one instead`);
}

export function checkRunnable(name: string, language: string): void {
  if (language === JAVASCRIPT) return;
  throw new AppError(
    'unsupported',
    `${name} is written in ${language}: only ${JAVASCRIPT} can be tested and published`,
  );
}
