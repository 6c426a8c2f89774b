import { Field } from '../../components/controls/field.tsx';

export const leastPasswordLength = 12;

export interface NewPasswordProps {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  autoFocus?: boolean;
}

/** Length is the only requirement for a password. */
export function NewPassword({ value, onChange, label = 'Password', autoFocus }: NewPasswordProps) {
  const missing = leastPasswordLength - value.length;
  return (
    <Field
      label={label}
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      help={
        value !== '' && missing > 0
          ? `${missing} more needed`
          : `At least ${leastPasswordLength} characters. Several words work best.`
      }
      minLength={leastPasswordLength}
      isRequired
      autoFocus={autoFocus ?? false}
    />
  );
}
