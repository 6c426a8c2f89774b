/** The time zones of a user as one text, which the type `Timezones` of the domain describes. `user` is the alias of the row. */
export const timezonesOf = (user: string) =>
  `concat_ws(' ', ${user}.earlier_timezones, coalesce(${user}.timezone, 'UTC'))`;
