import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { hasMoreCharacters } from '../../../shared/kernel/echo.js';
import { byRule, type BrokenRule } from '../../../shared/kernel/errors.js';
import type { Constraint } from '../../../shared/graphql/constraint.js';

export type Input = GraphQLArgument | GraphQLInputField;

export function definedOf({ maxLength, maxItems }: Record<string, unknown>): Constraint {
  return {
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(typeof maxItems === 'number' ? { maxItems } : {}),
  };
}

export function constraintOf({ extensions }: Pick<Input, 'extensions'>): Constraint {
  const { constraint } = extensions;
  return typeof constraint === 'object' && constraint !== null ? definedOf({ ...constraint }) : {};
}

/** The path to the checked value. One array that checks extend while they descend: a copy for each of 50,000 items would cost more than the check. */
export type Path = (string | number)[];
export type Found = (path: Path, broken: BrokenRule) => void;
export type Check = (value: unknown, path: Path, found: Found) => void;

/** Returns the check of a value against the constraint of its argument or input field; undefined where there is none. */
export function checkOf(given: GraphQLInputType, { maxLength, maxItems }: Constraint): Check | undefined {
  if (maxLength === undefined && maxItems === undefined) return undefined;
  return (value, path, found) => {
    const list = isListType(getNullableType(given));
    const items: readonly unknown[] = list && Array.isArray(value) ? value : [value];
    if (maxItems !== undefined && items.length > maxItems) {
      found(path, byRule('LIST_TOO_LONG', { max: maxItems }));
      return;
    }
    if (maxLength === undefined) return;
    for (const [index, item] of items.entries()) {
      if (typeof item !== 'string') continue;
      const place = () => (items === value ? [...path, index] : path);
      if (hasMoreCharacters(item, maxLength)) found(place(), byRule('TEXT_TOO_LONG', { max: maxLength }));
      else if (!item.isWellFormed()) found(place(), byRule('WELL_FORMED'));
    }
  };
}

export function checkWithin(given: GraphQLInputType): Check | undefined {
  const type = getNamedType(given);
  if (!isInputObjectType(type)) return undefined;
  return (value, path, found) => checkObjects(type, value, path, found);
}

function checkObjects(type: GraphQLInputObjectType, value: unknown, path: Path, found: Found): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      checkObjects(type, value[index], path, found);
      path.pop();
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const { name, check, within } of memberChecks(type)) {
    const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (member == null) continue;
    path.push(name);
    check?.(member, path, found);
    if (within !== undefined) checkObjects(within, member, path, found);
    path.pop();
  }
}

interface MemberCheck {
  readonly name: string;
  readonly check: Check | undefined;
  readonly within: GraphQLInputObjectType | undefined;
}

const memberChecksByType = new WeakMap<GraphQLInputObjectType, MemberCheck[]>();

function memberChecks(type: GraphQLInputObjectType): MemberCheck[] {
  const known = memberChecksByType.get(type);
  if (known !== undefined) return known;
  const made = Object.values(type.getFields()).map((field): MemberCheck => {
    const inner = getNamedType(field.type);
    return {
      name: field.name,
      check: checkOf(field.type, constraintOf(field)),
      within: isInputObjectType(inner) ? inner : undefined,
    };
  });
  const needed = made.filter(({ check, within }) => check !== undefined || within !== undefined);
  memberChecksByType.set(type, needed);
  return needed;
}
