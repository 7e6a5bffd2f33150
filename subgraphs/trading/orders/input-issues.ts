import { refuse, type ErrorDetail } from '../../../shared/errors.js';

/** Records an error of an input. */
type Fail = (error: ErrorDetail) => void;

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
    fail: (error) => form.push(error),
    failContent: (error) => content.push(error),
    refuse: () => {
      refuse('BAD_REQUEST', form);
      refuse('UNPROCESSABLE', content);
    },
  };
}
