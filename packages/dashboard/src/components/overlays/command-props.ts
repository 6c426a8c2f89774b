export interface CommandProps {
  label: string;
  /** The popover's title, which says where to type the command. */
  title: string;
  text: string;
  small?: boolean;
}
