import 'reflect-metadata';
import { Directive, Field, ObjectType } from 'type-graphql';

/** A value of a rule, in the graph. Its name is that of the values of `InputError` (`forms.ts`). */
@ObjectType('InputErrorValue', { simpleResolvers: true, description: 'A value that the text of a rule names.' })
@Directive('@shareable')
export class InputErrorValue {
  @Field(() => String, { description: 'Name of the value, such as `max`' })
  name!: string;

  @Field(() => String, {
    description: 'The value: a number in decimal form, a moment in RFC 3339, or a text',
  })
  value!: string;
}
