/* Prints every time zone that ICU knows: its canonical name, and its offsets from UTC in seconds,
 * twice a year from 1970 to 2037.
 *
 * The clock of the examples asks for them, through Foundation. compare.sh links this twice, as it
 * does with spell.c.
 */
#include <stdio.h>

#include <_foundation_unicode/ucal.h>
#include <_foundation_unicode/uenum.h>

/* Half of a mean year, in milliseconds. */
static const UDate half_year = 365.2425 / 2 * 86400e3;
enum { MOMENT_COUNT = 2 * (2037 - 1970) };

/* Names of zones are ASCII. */
static void print(const UChar *name, int length) {
  putchar(' ');
  for (int i = 0; i < length; i++) putchar(name[i]);
}

int main(void) {
  UErrorCode status = U_ZERO_ERROR;
  UEnumeration *zones =
    ucal_openTimeZoneIDEnumeration(UCAL_ZONE_TYPE_ANY, NULL, NULL, &status);
  int count = 0, length;
  const UChar *zone;
  while (U_SUCCESS(status) && (zone = uenum_unext(zones, &length, &status))) {
    print(zone, length);
    UChar canonical[128];
    UBool isSystem;
    int canonicalLength = ucal_getCanonicalTimeZoneID(
      zone, length, canonical, sizeof canonical / sizeof *canonical, &isSystem, &status);
    if (U_SUCCESS(status)) print(canonical, canonicalLength);
    UCalendar *calendar = ucal_open(zone, length, "en", UCAL_GREGORIAN, &status);
    for (int i = 0; U_SUCCESS(status) && i < MOMENT_COUNT; i++) {
      ucal_setMillis(calendar, i * half_year, &status);
      int offset = ucal_get(calendar, UCAL_ZONE_OFFSET, &status)
        + ucal_get(calendar, UCAL_DST_OFFSET, &status);
      printf(" %d", offset / 1000);
    }
    putchar('\n');
    if (calendar) ucal_close(calendar);
    count++;
  }
  uenum_close(zones);
  fprintf(stderr, "zones: %d time zones\n", count);
  if (U_SUCCESS(status) && count > 400) return 0;
  fprintf(stderr, "zones: ICU's error %d\n", status);
  return 1;
}
