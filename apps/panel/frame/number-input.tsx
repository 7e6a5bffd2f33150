import { useState } from 'react';
import { TextInput, type TextInputProps } from '../../design/controls/controls.js';
import { language } from './language.js';
import { textOf } from './parts.js';
import { frameTexts } from './texts.js';
import { readNumber, writeNumber } from '../../design/typed-number.js';

interface NumberInputProps extends Pick<TextInputProps, 'name' | 'label' | 'hint' | 'isRequired' | 'autoFocus'> {
  /** Currency of the number, or `%`, which may be typed beside it. */
  readonly unit?: string | undefined;
  readonly defaultValue?: string | number | null;
  readonly isWhole?: boolean;
  /** Called with the number of the graph that is typed; null where none is. */
  readonly onNumber?: (number: string | null) => void;
  /** Returns the error of a typed number (in the form of the graph), if any. */
  readonly check?: (number: string) => string | undefined;
}

/** A number as the language of the page writes it. It is written anew when the field is left; one that cannot be read is an error of the field. */
export function NumberInput({ unit, defaultValue, isWhole = false, onNumber, check, ...field }: NumberInputProps) {
  const [typed, setTyped] = useState(writeNumber(String(defaultValue ?? ''), language.code));
  const { notNumber, notWhole } = frameTexts.get();
  const read = () => readNumber(typed, language.code, unit);
  return (
    <TextInput
      {...field}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onNumber?.(readNumber(text, language.code, unit) ?? null);
      }}
      onBlur={() => {
        const number = read();
        if (number !== undefined) setTyped(writeNumber(number, language.code));
      }}
      validate={(text) => {
        if (text.trim() === '') return undefined;
        const number = readNumber(text, language.code, unit);
        if (number === undefined) return notNumber;
        return isWhole && !/^\d{1,15}$/.test(number) ? notWhole : check?.(number);
      }}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={60}
    />
  );
}

/** Returns the number in a `NumberInput` for the graph; null where nothing was typed. */
export function numberOf(values: FormData, name: string, unit?: string): string | null {
  return readNumber(textOf(values, name), language.code, unit) ?? null;
}

/** Returns the whole number in a `NumberInput`; null where nothing was typed. */
export function countOf(values: FormData, name: string): number | null {
  const number = numberOf(values, name);
  return number === null ? null : Number(number);
}
