/** Closed lists of codes; domains add theirs in `subgraphs/<name>/registry.ts`, joined by `bootstrap/registry.ts`. An unlisted code does not compile. */
export interface Registry {
  readonly errors?: Readonly<Record<string, ErrorKind>>;
  /** Rules for input and state, in English with `{name}` for values; messages are made of them. Portuguese: apps/panel/frame/messages. */
  readonly rules?: Readonly<Record<string, string>>;
  /** The same for imports: completes a sentence after a field or file name; `{value}` is quoted and cut. Portuguese: import-rules.pt-BR.ts. */
  readonly importRules?: Readonly<Record<string, string>>;
  /** `action` of the audit log: recorded mutations, all of operators, and, for rejected reads, their queries and fields. Portuguese: acts.pt-BR.ts. */
  readonly acts?: readonly string[];
  /** Tables on which the program has fewer privileges than reading and writing rows. */
  readonly privileges?: Readonly<Record<string, readonly Privilege[]>>;
  /** Arguments that look something up as typed. VISIBLE: an invisible character is refused; ANY: the field has its own error. */
  readonly lookUps?: Readonly<Record<string, 'VISIBLE' | 'ANY'>>;
}

export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE' | 'EXECUTE';

export interface ErrorKind {
  readonly status: number;
  /** The message when the thrower gives none. */
  readonly message: string;
  /** Seconds after which the request may be repeated, when the thrower gives none. */
  readonly retryAfterSeconds?: number;
  /** The catalogue code, if any (docs/contract/common.md §4.3); the REST envelope shows it as `code`. */
  readonly catalogue?: number | string;
}

const shared = {
  errors: {
    BAD_REQUEST: { status: 400, message: 'The request is not valid' },
    UNAUTHORIZED: { status: 401, message: 'Credentials are missing, invalid or expired' },
    FORBIDDEN: { status: 403, message: 'The credential does not permit this operation' },
    NOT_FOUND: { status: 404, message: 'The resource does not exist' },
    METHOD_NOT_ALLOWED: {
      status: 405,
      message: 'The path does not support this method: the header Allow lists its methods',
    },
    NOT_ACCEPTABLE: { status: 406, message: 'The response is JSON: Accept must allow application/json' },
    REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive completely in time: send it again' },
    CONFLICT: { status: 409, message: 'The operation conflicts with the state of the resource' },
    CURSOR_EXPIRED: {
      status: 410,
      message:
        'More than 7 days, or more than 1,000 events, have passed since `since`: read the current state, and subscribe without it',
    },
    PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this path accepts' },
    UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json' },
    EXPECTATION_FAILED: { status: 417, message: 'The only supported expectation is 100-continue' },
    UNPROCESSABLE: { status: 422, message: 'The request is well formed, but its content cannot be accepted' },
    TOO_MANY_REQUESTS: { status: 429, message: 'Too Many Requests' },
    HEADERS_TOO_LARGE: { status: 431, message: 'The headers are larger than this server accepts' },
    INTERNAL: {
      status: 500,
      message: 'The server could not complete the request. Quote the requestId when you report the error',
    },
    UNAVAILABLE: {
      status: 503,
      message: 'The service is not available at the moment. Try again later',
      retryAfterSeconds: 5,
    },
    INVALID_SIGNATURE: {
      status: 401,
      message: 'X-Signature is not a valid signature of this request',
      catalogue: 1001,
    },
    EXPIRED_TIMESTAMP: {
      status: 401,
      message: 'X-Timestamp is outside the 5-minute window: set the clock of the client, and sign the request again',
      catalogue: 1002,
    },
    PUBLIC_KEY_NOT_REGISTERED: {
      status: 401,
      message:
        'No public key is registered for this client: check its id, or ask the operator of the platform to register a key',
      catalogue: 1003,
    },
    SECOND_FACTOR_REQUIRED: {
      status: 403,
      message: 'Prove a second factor first: POST /web/session/step-up',
      catalogue: 'SECOND_FACTOR_REQUIRED',
    },
    ENROLMENT_REQUIRED: {
      status: 403,
      message: 'Add a second factor first: addPasskey or confirmTotp. Until then the session can do nothing else',
      catalogue: 'ENROLMENT_REQUIRED',
    },
    STEP_UP_REQUIRED: {
      status: 403,
      message:
        'This needs a factor that was proved in the last 5 minutes: POST /web/session/step-up, and send the request again',
      catalogue: 'STEP_UP_REQUIRED',
    },
    INVALID_ACCESS_TOKEN: {
      status: 401,
      message: 'The access token is missing, invalid or expired: log in by POST /v1/auth/login',
      catalogue: 'CAAS_AUTH_001',
    },
  },
  rules: {
    REQUIRED: 'is required',
    NOT_NULL: 'must not be null: omit it to keep it',
    EITHER: 'must have either {first} or {second}, not both',
    TEXT_LENGTH: 'must have {min} to {max} characters',
    TEXT_TOO_LONG: 'must have at most {max} characters',
    PRINTABLE_LENGTH: 'must have {min} to {max} characters, none of them a control character or invisible',
    PRINTABLE_TOO_LONG: 'must have at most {max} characters, none of them a control character or invisible',
    VISIBLE: 'must have no character that cannot be seen',
    WELL_FORMED: 'must have no half of a character (an unpaired surrogate)',
    ONE_LINE: 'must be one line, without control characters',
    PUBLISHED_TOO_LONG: 'must have at most {max} characters as it is published, with its tax ids masked',
    SEARCH_WORD: 'must contain a letter or a digit',
    LIST_LENGTH: 'must have from {min} to {max} items',
    LIST_TOO_LONG: 'must have at most {max} items',
    LIST_OR_NULL: 'must have from {min} to {max} items, or be null for the default',
    ONE_OF: 'must be one of {known}',
    SOME_OF: 'must contain at least one of {known}',
    UUID_FORM: 'must be a UUID',
    NUMBER_RANGE: 'must be from {min} to {max}',
    WHOLE_NUMBER_RANGE: 'must be a whole number from {min} to {max}',
    NUMBER_DECIMALS: 'must be from {min} to {max}, with at most {decimals} decimals',
    PERCENT_DECIMALS: 'must be from {min} to {max}, in percent, with at most {decimals} decimals',
    AMOUNT_FORM: 'must be a decimal number greater than 0, such as "0.015"',
    AMOUNT_POSITIVE: 'must be greater than 0',
    AMOUNT_AT_MOST: 'must be greater than 0 and at most {max}',
    AMOUNT_AT_MOST_DECIMALS: 'must be greater than 0 and at most {max}, with at most {decimals} decimals',
    AMOUNT_BELOW_DECIMALS: 'must be greater than 0 and less than {limit}, with at most {decimals} decimals',
    AMOUNT_DECIMALS: 'must be greater than 0, with at most {decimals} decimals',
    AMOUNT_AT_LEAST: 'must be at least {min} {currency}',
    NUMBER_BELOW_DECIMALS: 'must be from {min} to less than {limit}, with at most {decimals} decimals',
    NUMBER_BELOW: 'must be at least {min} and less than {limit}',
    DECIMALS: 'must have at most {max} decimals',
    WHOLE_DIGITS: 'must have at most {max} digits before the decimal point',
    TOO_LARGE: 'is too large',
    DECIMAL_FORM: 'must be a decimal number as text, such as "1234.50", without leading zeros',
    DECIMAL_POINT: 'must be a decimal number as text, such as "1234.50": write "{instead}"',
    DATE_FORM: 'must be an existing day, as YYYY-MM-DD',
    DATE_TIME_FORM: 'must be an instant with its offset, as YYYY-MM-DDTHH:MM:SSZ',
    MONTH_FORM: 'must be a month, as YYYY-MM',
    NOT_BEFORE: 'must not be before `{field}`',
    NOT_LESS_THAN: 'must not be less than `{field}`',
    NOT_LESS_THAN_VALUE: 'must not be less than {field}, which is {value}',
    IN_FUTURE: 'must be in the future',
    NOT_IN_FUTURE: 'must not be in the future',
    WITHIN_NEXT_DAYS: 'must be within {days} days',
    EMAIL_FORM: 'must be an e-mail address of at most {max} characters',
    CPF_FORM: 'must be the 11 digits of a CPF, without punctuation',
    CNPJ_FORM: 'must be the 14 characters of a CNPJ, digits or capital letters without punctuation',
    CPF_CHECK_DIGITS: 'is not a CPF: its check digits are wrong',
    CNPJ_CHECK_DIGITS: 'is not a CNPJ: its check digits are wrong',
    TAX_ID: 'must be a CPF or CNPJ with correct check digits, without punctuation',
    ACCOUNT_ID: 'must be the id of an account',
    IDEMPOTENCY_RUNNING: 'The first request with this idempotency key is still running',
    ROLE_MISSING: 'This key lacks the role {role}: use the key of an operator who has it',
    SCOPE_MISSING: 'This credential lacks the scope {scope}: use one that has it',
    IMPORT_REVERTED: 'The import {id} was already reverted by the import {by}',
    IMPORT_CHANGED: 'Nothing was reverted: {count} records have changed since',
    IMPORT_RUNNING: 'Another import is being written: try again when it has finished',
    RECORD_REFERRED:
      'The record cannot be removed: a record of {table} that would stay refers to it. Hide it (public) or close it instead',
    RECORD_KIND: '"{kind}" must be one of {known}',
    RECORD_NAMES: 'A {kind} is identified by {names}',
    RECORD_UNKNOWN: 'There is no {record}',
    WORK_HELD: 'The item is in quarantine: release it',
    WORK_CLAIMED: 'The item is being worked on: look at it again when that has ended',
    WORK_NOT_FAILED: 'No attempt on the item has failed',
  },
  importRules: {
    FIELD_REQUIRED: 'is required',
    BLANK: 'is blank',
    TOO_LONG: 'is longer than {max} characters',
    CONTROL_CHARACTER: 'contains a control character',
    TEXT_FORM: 'must be text of the documented form, and {value} is not',
    FIELD_ONE_OF: 'must be {known}, and {value} is not',
    FLAG: 'must be true or false',
    FIELD_TAX_ID: 'is neither a CPF nor a CNPJ: its length or its check digits are wrong',
    CNPJ: 'is not a CNPJ: its length or its check digits are wrong',
    FIELD_URL_FORM: 'must be an address that begins with https:// or http://, and {value} is not',
    NUMBER: 'must be a number, and {value} is not',
    WHOLE_NUMBER: 'must be a whole number, and {value} is not',
    FIELD_DECIMALS: 'has more than {max} decimals: {value}',
    FIELD_WHOLE_DIGITS: 'has more than {max} digits before the decimals',
    NOT_NEGATIVE: 'must not be negative, and {value} is',
    AT_LEAST: 'must be {min} or more, and {value} is less',
    ABOVE: 'must be greater than {limit}, and {value} is not',
    AT_MOST: 'must be {max} or less, and {value} is more',
    FROM_TO: 'must be from {min} to {max}, and {value} is not',
    FIELD_DATE_FORM: 'must be a date like 2026-12-31 (in CSV also 31/12/2026), and {value} is not',
    FIELD_MONTH_FORM: 'must be a month like 2026-12 (in CSV also 12/2026), and {value} is not',
    MOMENT_FORM: 'must be a moment with its offset, like 2026-12-31T10:00:00-03:00, and {value} is not',
    FIELD_IN_FUTURE: 'is {value}, and today is {today}: it must not be in the future',
    NOT_ENDED: 'is {value}, which has not ended: today is {today}',
    NOT_IN_CALENDAR: 'is {value}, a day that the calendar of business days does not cover',
    OUT_OF_ORDER: 'is {value}, before {field}, which is {other}',
    REQUIRED_WITH: 'is required where {field} is given',
    MORE_THAN: 'is {value}, more than {field}, which is {limit}',
    LESS_THAN: 'is {value} and must not be less than {field}, which is {other}',
    NOT_THE_TOTAL: 'is {value}, but {sum} is {due}',
    GIVEN_TWICE: 'is given together with {list}: give one of them',
    FOLDER_EMPTY: 'contains no file',
    FILE_FORMAT: 'is neither .json nor .csv',
    FILE_MISSING: 'does not exist',
    FILE_FORBIDDEN: 'may not be read by this user',
    FILE_UNREADABLE: 'cannot be read: {code}',
    FILE_EMPTY: 'is empty',
    CSV_ENCODING: 'is neither UTF-8 nor ISO-8859-1: save it as one of them',
    CSV_DELIMITER: 'must be a header whose columns are separated by ; or by , (not by both): see --csv-columns',
    CSV_HEADER: 'is not a header of {known}: see --csv-columns',
    CSV_COLUMN: 'is not a column of {kind}: see --csv-columns',
    CSV_COLUMN_TWICE: 'is in the header twice',
    CSV_COLUMN_MISSING: 'is a required column of {kind}, and is missing',
    CSV_CELLS: 'has {count} cells, and the header has {columns} columns',
    CSV_LINE_LENGTH: 'is longer than a million characters',
    CSV_QUOTE_OPEN: 'has an opening quote that is never closed: the rest of the file was read as its text',
    CSV_QUOTE_AFTER: 'has text after a closing quote: write a quote inside a quoted cell twice',
    CSV_QUOTE_INSIDE:
      'has a quote inside a cell that does not begin with one: quote the whole cell, and write the quote twice',
    NUMBER_STYLES:
      'is written "{value}", and {field} of line {line} "{other}": write all numbers of a file as 1234.56, or all as 1.234,56',
    NUMBER_STYLE:
      'is "{value}", which can be read as {whole} and as {value}, and no other number of the file decides which: write the decimals of at least one ({value}0, or {value},00)',
    JSON_SIZE: 'is larger than 8 MiB: put its long lists into CSV files, or its records into several files',
    JSON_ENCODING: 'is not UTF-8, as JSON has to be',
    JSON_DEPTH: 'is nested too deeply',
    JSON_FORM: 'is not JSON from here on: {detail}',
    JSON_TWICE: 'is in its object twice',
    JSON_LIST_UNKNOWN: 'is not a list of the input, such as {known}',
    JSON_LIST: 'must be a list',
    JSON_FIELD: 'is not a field here',
    JSON_FIELD_CLOSE: 'is not a field here; did you mean {close}?',
    JSON_TYPE: 'must be {types}',
    JSON_TOO_FEW: 'must NOT have fewer than {limit} items',
    JSON_TOO_MANY: 'must NOT have more than {limit} items',
    JSON_TOO_SHORT: 'must NOT have fewer than {limit} characters',
    JSON_TOO_LONG: 'must NOT have more than {limit} characters',
    JSON_VALUE: 'is not as the schema says: {detail}',
    REPEATS: 'repeats the {label} of {place}',
    OWNER_UNKNOWN: 'is "{value}", and there is no such {label}',
    NAME_RESERVED:
      'is "{value}", which is reserved for a {label} that was withdrawn by the import {import}: revert that import (revertImport), or use another name',
    RECORD_CHANGED:
      '{label} {record} has changed since: revert that change first, correct the record by an import, or take back a payment that it got since (reverseAssetPayment, reversePayment)',
    RECORD_STAYS: '{label} {record} cannot be removed: import the right value with --correct instead',
    RECORD_ORPHANED:
      '{label} {record} belongs or refers to a record that has been removed since: restore that record first',
    SETTLED_PAID: '{label} {record} was paid on {day}: {changes}',
    SETTLED_STATUS: '{label} {record} is {status}: {changes}',
    SETTLED_AGE: '{label} {record} is older than {days} days: {changes}',
    SETTLED_EMPTIED: '{label} {record} would lose {fields}: {changes}',
  },
  acts: ['rotateMasterKey', 'import', 'importFiles', 'revertImport', 'voidRecord', 'export', 'several'],
  privileges: {
    'shared.migrations': ['SELECT'],
    'shared.holidays': ['SELECT'],
    'shared.audit_log': ['SELECT', 'INSERT'],
    'shared.imports': ['SELECT', 'INSERT'],
  },
} as const satisfies Registry;

/** The lists by their owner; a domain declares its own. */
export interface Registries {
  readonly shared: typeof shared;
}

type Listed<Kind extends keyof Registry> = Registries[keyof Registries] extends infer Owner
  ? Owner extends Readonly<Record<Kind, infer List>>
    ? List
    : never
  : never;
type KeyOf<List> = List extends unknown ? keyof List & string : never;

export type ErrorCode = KeyOf<Listed<'errors'>>;
export type RuleCode = KeyOf<Listed<'rules'>>;
export type ImportRuleCode = KeyOf<Listed<'importRules'>>;
export type ActName = Extract<Listed<'acts'>, readonly string[]>[number];

type TextIn<List, Code extends string> = List extends Readonly<Record<Code, infer Text>> ? Text : never;
type PlacesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlacesIn<Rest> : never;
export type ValuesOf<Code extends RuleCode | ImportRuleCode> = PlacesIn<
  TextIn<Listed<'rules'> | Listed<'importRules'>, Code>
>;

export const registered = {
  errors: new Map<string, ErrorKind>(),
  rules: new Map<string, string>(),
  importRules: new Map<string, string>(),
  acts: new Set<string>(),
  privileges: new Map<string, readonly Privilege[]>(),
  lookUps: new Map<string, 'VISIBLE' | 'ANY'>(),
};

/** Adds the lists of a domain. @throws for a code that is there already */
export function register({
  errors = {},
  rules = {},
  importRules = {},
  acts = [],
  privileges = {},
  lookUps = {},
}: Registry): void {
  add(registered.errors, errors);
  add(registered.rules, rules);
  add(registered.importRules, importRules);
  add(registered.privileges, privileges);
  add(registered.lookUps, lookUps);
  for (const act of acts) {
    if (registered.acts.has(act)) throw new Error(`The act ${act} is registered twice`);
    registered.acts.add(act);
  }
}

function add<T>(list: Map<string, T>, entries: Readonly<Record<string, T>>): void {
  for (const [code, value] of Object.entries(entries)) {
    if (list.has(code)) throw new Error(`${code} is registered twice`);
    list.set(code, value);
  }
}

register(shared);

export const errorKinds = shared.errors;

export function errorKindOf(code: ErrorCode): ErrorKind {
  return valueOf(registered.errors, code);
}

export function isErrorCode(text: string): text is ErrorCode {
  return registered.errors.has(text);
}

export function textOfRule(code: RuleCode): string {
  return valueOf(registered.rules, code);
}

export function textOfImportRule(code: ImportRuleCode): string {
  return valueOf(registered.importRules, code);
}

export function isImportRule(text: string): text is ImportRuleCode {
  return registered.importRules.has(text);
}

/** Returns the act of that name. @throws when no domain registers it */
export function actNamed(name: string): ActName {
  if (!isActName(name))
    throw new Error(`Name ${name} in the registry.ts of its domain, and in the messages of the panel`);
  return name;
}

function isActName(name: string): name is ActName {
  return registered.acts.has(name);
}

function valueOf<T>(list: ReadonlyMap<string, T>, code: string): T {
  const value = list.get(code);
  if (value === undefined) throw new Error(`${code} is not registered: import bootstrap/registry.ts first`);
  return value;
}
