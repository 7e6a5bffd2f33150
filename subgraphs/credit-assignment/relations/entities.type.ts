import { Directive, Field, ID, ObjectType } from 'type-graphql';

/** What this domain knows of an estate: its id. The rest of the entity belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({
  simpleResolvers: true,
  description: 'An estate (patrimônio): it isolates the assets and liabilities of one securitization.',
})
export class Patrimony {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;
}

/** What this domain knows of an asset: its id, which is that of its receivable. The rest belongs to tokenization. */
@Directive('@key(fields: "id")')
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
export class Asset {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;
}
