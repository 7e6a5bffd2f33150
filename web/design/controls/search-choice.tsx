import { useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { FieldErrors, type FieldProps, type Option } from './fields.js';

/** One of many values, which is found by typing a part of it. The list is what the server finds. */
export function SearchChoice(
  props: FieldProps & {
    /** What was found for the typed text. */
    readonly options: readonly Option[];
    readonly typed: string;
    readonly onType: (typed: string) => void;
    readonly value: string;
    readonly onChange: (value: string) => void;
    /** What the list says when nothing was found. */
    readonly empty: string;
  },
) {
  const { name, label, hint, options, typed, onType, value, onChange, empty } = props;
  // The list is in the dialog or the region of its field, not at the end of the page.
  const [field, setField] = useState<HTMLDivElement | null>(null);
  const [chosen, setChosen] = useState<Option>();
  const choose = (option: Option | undefined) => {
    setChosen(option);
    onChange(option?.value ?? '');
  };
  return (
    <ComboBox
      className="field"
      ref={setField}
      name={name}
      items={options}
      inputValue={typed}
      onInputChange={(text) => {
        onType(text);
        // Another text is not what was chosen.
        if (chosen !== undefined && text !== chosen.text) choose(undefined);
      }}
      value={value === '' ? null : value}
      onChange={(key) => {
        const option = [...options, ...(chosen === undefined ? [] : [chosen])].find((one) => one.value === key);
        choose(option);
        if (option !== undefined) onType(option.text);
      }}
      menuTrigger="focus"
      allowsEmptyCollection
      isRequired
    >
      <Label>{label}</Label>
      <Input />
      {hint === undefined ? null : <Text slot="description">{hint}</Text>}
      <FieldErrors />
      <Popover className="options" {...(field === null ? {} : { UNSTABLE_portalContainer: field })}>
        <ListBox<Option> renderEmptyState={() => <p className="empty">{empty}</p>}>
          {({ value: id, text }) => (
            <ListBoxItem id={id} textValue={text}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
