/** What each metric measures. */
export const reproductiveHealthDescriptions: Readonly<Record<string, string>> = {
  cycle_day:
    'Day of the menstrual cycle as reported by an app or provider. The first day of a period is day 1.',
  menstrual_flow: 'Heaviest menstrual flow that was logged on the day.',
  ovulation_test: 'Most definite result of the ovulation tests of the day.',
  basal_body_temperature_shift:
    'Difference of basal_body_temperature from the usual level of the person, as reported by an app or thermometer.',
  pregnancy: 'Whether the person reported to be pregnant on the day.',
  contraception: 'Contraceptive that the person reported to use on the day.',
};
