import { Directive, Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'The end of a page of a list.' })
@Directive('@shareable')
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are items after this page' })
  hasNextPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor to send as `after` for the next page; null for an empty page',
  })
  endCursor!: string | null;
}
