import { getNamedType, isAbstractType, isObjectType, type GraphQLOutputType } from 'graphql';
import { isMarked, selectedFields, valueOf, type FileDirective, type Selections, type Source } from './selections.js';

export interface SelectedValue {
  readonly source: Source;
  readonly type: GraphQLOutputType;
  readonly selections: readonly Selections[];
}

/** Returns the places of the fields that a document marks with a directive, in the response as it is sent: `nextToken`, `items.interestPercentage`. */
export function markedPlaces({ source, type, selections }: SelectedValue, directive: FileDirective): readonly string[] {
  const named = getNamedType(type);
  const objects = isAbstractType(named) ? source.schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
  const places = objects.flatMap((object) =>
    [...selectedFields(source, object, selections)].flatMap(([key, occurrences]) => {
      const own = occurrences.some(({ node }) => isMarked(node, directive)) ? [key] : [];
      const value = valueOf(source, object, occurrences);
      if (value === undefined) return own;
      return [...own, ...markedPlaces({ source, ...value }, directive).map((place) => `${key}.${place}`)];
    }),
  );
  return [...new Set(places)];
}
