import { isCustomScalarType, isEnumType, type Type } from '@apollo/federation-internals';

/** Returns the check of a scalar's or an enum's values on the wire. The values of a custom scalar are not checked: its subgraph is responsible for them. */
export function validityOf(type: Type): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.values.map(({ name }) => name));
    return (value) => names.has(value);
  }
  if ('kind' in type && isCustomScalarType(type)) return () => true;
  switch (String(type)) {
    case 'Boolean':
      return (value) => typeof value === 'boolean';
    case 'Int':
      return Number.isSafeInteger;
    case 'Float':
      return Number.isFinite;
    case 'ID':
      return (value) => typeof value === 'string' || Number.isSafeInteger(value);
    default:
      return (value) => typeof value === 'string';
  }
}
