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

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, logger: false });
addFormats.default(ajv);

/** Compiles the check of arguments against a tool's schema, once, when the tool is loaded. */
export function argumentsCheck(schema: ObjectSchema): CheckArguments {
  const validate = ajv.compile(schema);
  return (given) => (validate(given) ? [] : (validate.errors ?? []).slice(0, maxDetails).map(argumentErrorOf));
}

function argumentErrorOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): ErrorDetail {
  const values: Readonly<Record<string, unknown>> = params;
  const at = (property?: unknown) => pathOf(instancePath, property);
  switch (keyword) {
    case 'required':
      return { path: at(values['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { path: at(values['additionalProperty']), message: 'is not an argument of this tool' };
    case 'type':
      return { path: at(), message: `must be ${[values['type']].flat().join(' or ')}` };
    case 'enum':
      return { path: at(), message: `must be one of ${[values['allowedValues']].flat().map(String).join(', ')}` };
    case 'format':
      return { path: at(), message: `must be ${formats[String(values['format'])] ?? String(values['format'])}` };
    case 'maxLength':
      return { path: at(), message: `must have at most ${String(values['limit'])} characters` };
    case 'maxItems':
      return { path: at(), message: `must have at most ${String(values['limit'])} items` };
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
