import { Field, ObjectType } from 'type-graphql';
import { Operation } from '../operations/operation.type.js';

@ObjectType({ simpleResolvers: true, description: 'Operations that a caller named, side by side.' })
export class OperationComparison {
  @Field(() => [Operation], { description: 'The operations in the order of their tickers in the request, each once' })
  operations!: readonly Operation[];

  @Field(() => [String], { description: 'Those of the requested tickers that no public operation has' })
  unknownTickers!: readonly string[];
}
