import { ChevronsUpDown } from 'lucide-react';
import { Button as AriaButton, ComboBox, FieldError, Input, Label, Text } from 'react-aria-components';
import './form.css';
import { Options, type SelectProps } from './options.tsx';
import { FloatingPopover } from '../overlays/floating-popover.tsx';

/** Selects one of many options. Typing filters the list. */
export function Combobox<Value extends string>(props: SelectProps<Value> & { placeholder?: string }) {
  const { label, options, value, onChange, help, error, isDisabled, placeholder } = props;
  return (
    <ComboBox
      className="field"
      value={value}
      onChange={(key) => key !== null && onChange(key as Value)}
      isDisabled={isDisabled ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      menuTrigger="focus"
    >
      <Label>{label}</Label>
      <span className="input-row">
        <Input className="input" placeholder={placeholder ?? ''} />
        <AriaButton className="icon-button">
          <ChevronsUpDown size={14} aria-hidden />
        </AriaButton>
      </span>
      {help && !error && (
        <Text slot="description" className="field-help">
          {help}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
      <FloatingPopover>
        <Options options={options} />
      </FloatingPopover>
    </ComboBox>
  );
}
