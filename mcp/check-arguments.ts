import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { maxDetails, type ErrorDetail } from '../shared/errors.js';
import type { ObjectSchema } from './json-schema.js';

/** Returns every error in a tool's arguments; empty when they are valid. */
export type CheckArguments = (given: unknown) => ErrorDetail[];

/** The formats of `gateway/json-schema`, in words. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a day as YYYY-MM-DD',
  'date-time': 'an instant (RFC 3339)',
};

const ajv = new Ajv2020({ allErrors: true, logger: false, verbose: true });
addFormats.default(ajv);

/** Compiles the check of arguments against a tool's schema, once, when the tool is loaded. */
export function argumentsCheck(schema: ObjectSchema): CheckArguments {
  const validate = ajv.compile(schema);
  return (given) => (validate(given) ? [] : withoutRepetition(validate.errors ?? []).map(argumentErrorOf));
}

/** Leaves out what a text with a format breaks besides: the words for its format say it all. */
function withoutRepetition(errors: readonly ErrorObject[]): ErrorObject[] {
  const misformed = new Set(errors.flatMap((error) => (formatOf(error) === undefined ? [] : [error.instancePath])));
  const formats = new Set<string>();
  return errors
    .filter((error) => {
      const { instancePath } = error;
      if (!misformed.has(instancePath)) return true;
      if (formatOf(error) === undefined || formats.has(instancePath)) return false;
      formats.add(instancePath);
      return true;
    })
    .slice(0, maxDetails);
}

/** Returns the format that a text does not have: its schema has a pattern beside the format, which is narrower. */
function formatOf({ keyword, parentSchema }: ErrorObject): string | undefined {
  const format: unknown = parentSchema?.['format'];
  return (keyword === 'format' || keyword === 'pattern') && typeof format === 'string' ? format : undefined;
}

function argumentErrorOf(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params, message = 'is not valid' } = error;
  const values: Readonly<Record<string, unknown>> = params;
  const at = (property?: unknown) => pathOf(instancePath, property);
  const format = formatOf(error);
  if (format !== undefined) return { path: at(), message: `must be ${formats[format] ?? format}` };
  switch (keyword) {
    case 'required':
      return { path: at(values['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { path: at(values['additionalProperty']), message: 'is not an argument of this tool' };
    case 'type':
      return { path: at(), message: `must be ${String(values['type'])}` };
    case 'enum':
      return { path: at(), message: `must be one of ${[values['allowedValues']].flat().map(String).join(', ')}` };
    case 'maxLength':
      return { path: at(), message: `must have at most ${String(values['limit'])} characters` };
    case 'maxItems':
      return { path: at(), message: `must have at most ${String(values['limit'])} items` };
    case 'minItems':
      return {
        path: at(),
        message: `must have at least ${String(values['limit'])} ${values['limit'] === 1 ? 'item' : 'items'}`,
      };
    default:
      return { path: at(), message };
  }
}

/** Converts a JSON pointer to a path: `/filter/states/0` becomes `filter.states[0]`. */
function pathOf(pointer: string, property?: unknown): string {
  const steps = pointer.split('/').slice(1);
  if (typeof property === 'string') steps.push(property);
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}
