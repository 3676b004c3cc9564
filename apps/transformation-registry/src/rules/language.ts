import { AppError, invalidField } from '@weir/contracts';

/** The one language that can be published and run. */
export const JAVASCRIPT = 'javascript';
/** Two names of one language in real clients (wire-facts 1.5). */
const PYTHON = ['python', 'pythonfaas'];

/** The language of something new; drafts of every known language are kept as they came. */
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
