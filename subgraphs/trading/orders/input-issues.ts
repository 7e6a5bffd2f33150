import { refuse, type ErrorDetail } from '../../../shared/errors.js';

/** Notes what is wrong with an input. */
type Fail = (path: string, message: string) => void;

/** What is wrong with an input. */
export interface InputIssues {
  /** With its form: something is missing, or not written as it has to be. */
  readonly fail: Fail;
  /** With its content: it is well formed, and means nothing. */
  readonly failContent: Fail;
  /** @throws {ApiError} BAD_REQUEST with everything that is wrong with the form; where nothing is, UNPROCESSABLE with the content */
  readonly refuse: () => void;
}

export function newIssues(): InputIssues {
  const form: ErrorDetail[] = [];
  const content: ErrorDetail[] = [];
  return {
    fail: (path, message) => {
      form.push({ path, message });
    },
    failContent: (path, message) => {
      content.push({ path, message });
    },
    refuse: () => {
      refuse('BAD_REQUEST', form);
      refuse('UNPROCESSABLE', content);
    },
  };
}
