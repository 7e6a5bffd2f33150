import 'reflect-metadata';
import { Directive, Field, ID, ObjectType } from 'type-graphql';

/** An estate as this subgraph contributes to it: its id. The rest of the entity belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({
  simpleResolvers: true,
  description: 'An estate (patrimônio), which separates the assets and liabilities of one securitization.',
})
export class Patrimony {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;
}

/** An asset as this subgraph contributes to it: its id, which is that of its receivable. The rest belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
export class Asset {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;
}
