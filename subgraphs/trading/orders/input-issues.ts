import { refuse, type ErrorDetail } from '../../../shared/errors.js';

/** Records an error of an input. */
type Fail = (path: string, message: string) => void;

/** Collects the errors of an input. */
export interface InputIssues {
  /** Records an error of form: a value is missing or malformed. */
  readonly fail: Fail;
  /** Records an error of content: a value is well formed but makes no sense. */
  readonly failContent: Fail;
  /** @throws {ApiError} BAD_REQUEST with all errors of form; if there are none, UNPROCESSABLE with those of content */
  readonly refuse: () => void;
}

export function newIssues(): InputIssues {
  const form: ErrorDetail[] = [];
  const content: ErrorDetail[] = [];
  return {
    fail: (path, message) => form.push({ path, message }),
    failContent: (path, message) => content.push({ path, message }),
    refuse: () => {
      refuse('BAD_REQUEST', form);
      refuse('UNPROCESSABLE', content);
    },
  };
}
