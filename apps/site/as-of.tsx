import { FilterForm, type FilterField } from '../design/filter-form.js';
import type { Locale } from './page.js';
import { saoPauloTime, type AsOf } from './moment.js';

export function asOfField(asOf: AsOf, { text }: Locale): FilterField {
  return {
    name: 'asOf',
    label: text.asOf.label,
    type: 'datetime-local',
    value: asOf.instant === undefined ? (asOf.typed ?? '') : saoPauloTime(asOf.instant),
    ...(asOf.error === undefined ? {} : { error: text.asOf[asOf.error] }),
  };
}

export function AsOfForm(props: AsOfProps & { readonly action: string }) {
  const { asOf, locale, action } = props;
  const { text } = locale;
  return (
    <>
      <FilterForm action={action} label={text.asOf.label} submit={text.price.show} fields={[asOfField(asOf, locale)]} />
      <AsOfNotice {...props} />
    </>
  );
}

interface AsOfProps {
  readonly asOf: AsOf;
  readonly locale: Locale;
  readonly isKnown: boolean;
}

/** Says which state of the data a page shows, or that nothing was known then; nothing for the present. */
export function AsOfNotice({ asOf, locale, isKnown }: AsOfProps) {
  if (asOf.instant === undefined || asOf.error !== undefined) return null;
  const { asOf: text } = locale.text;
  const moment = locale.moment(asOf.instant);
  return <p className="notice">{isKnown ? text.shown(moment) : text.none(moment)}</p>;
}
