import type { ReactNode } from 'react';
import type { PopoverProps } from 'react-aria-components';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  /** The equivalent shortcut. */
  shortcut?: string;
  danger?: boolean;
  /** Why it is disabled. */
  reason?: string | null;
  onAction: () => void;
}

export interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** Icon of the button instead of three dots. The label names the button. */
  icon?: ReactNode;
  /** Content of the button if its own text names it. */
  children?: ReactNode;
  className?: string;
  placement?: NonNullable<PopoverProps['placement']>;
}
