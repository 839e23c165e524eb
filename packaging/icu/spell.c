/* Prints how ICU spells numbers, in every locale that it knows and by every public rule set.
 *
 * compare.sh links it twice, with all of ICU's data and with the part that trim.py keeps, and
 * compares what the two print.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <_foundation_unicode/uloc.h>
#include <_foundation_unicode/unum.h>

static UChar text[8192];
enum { TEXT_MAX = sizeof text / sizeof *text };

static void print(const UChar *units, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    if (units[i] >= 0x20 && units[i] < 0x7f) putchar(units[i]);
    else printf("\\%04x", units[i]);
  }
}

static void spell(UNumberFormat *format, const char *locale) {
  static const double more[] = {111, 200, 999, 1000, 1001, 1984, 2026, 10000, 21000, 100000, 1e6,
                                2e6, 1e9, 1e12, -1, -40, 0.5, 1.5, 2.25, 36.6, 99.9, -0.5};
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = unum_getTextAttribute(format, UNUM_PUBLIC_RULESETS, text, TEXT_MAX, &status);
  if (status > 0) { printf("%s no rule sets: %d\n", locale, status); return; }
  UChar *names = malloc(((size_t)count + 1) * sizeof *names);
  if (!names) abort();
  memcpy(names, text, (size_t)count * sizeof *names);
  names[count] = ';';
  for (UChar *name = names, *end; name < names + count; name = end + 1) {
    for (end = name; *end != ';'; end++) { }
    status = U_ZERO_ERROR;
    unum_setTextAttribute(format, UNUM_DEFAULT_RULESET, name, (int32_t)(end - name), &status);
    printf("%s ", locale);
    print(name, (int32_t)(end - name));
    printf(" %d:", status);
    for (int number = 0; number < 110 + (int)(sizeof more / sizeof *more); number++) {
      double value = number < 110 ? number : more[number - 110];
      status = U_ZERO_ERROR;
      int32_t length = value == (int64_t)value
        ? unum_formatInt64(format, (int64_t)value, text, TEXT_MAX, NULL, &status)
        : unum_formatDouble(format, value, text, TEXT_MAX, NULL, &status);
      putchar('|');
      if (status > 0) printf("error %d", status);
      else print(text, length);
    }
    putchar('\n');
  }
  free(names);
}

static int has_language(const char *locale, const char *actual) {
  size_t length = strcspn(locale, "_");
  return strcspn(actual, "_") == length && memcmp(locale, actual, length) == 0;
}

/* Names that ICU does not list: a language without rules, and names that stand for others. */
static const char *const unlisted[] = {"tlh", "no", "iw", "in", "sh", "tl", "mo", "zh_TW", "zh_HK",
                                       "nb_NO", "pt_AO", "en_DE", "sr_BA"};

int main(void) {
  int32_t count = uloc_countAvailable();
  int spelled = 0;
  for (int32_t i = -(int32_t)(sizeof unlisted / sizeof *unlisted); i < count; i++) {
    const char *locale = i < 0 ? unlisted[-i - 1] : uloc_getAvailable(i);
    UErrorCode status = U_ZERO_ERROR;
    UNumberFormat *format = unum_open(UNUM_SPELLOUT, NULL, 0, locale, NULL, &status);
    const char *actual = format ? unum_getLocaleByType(format, ULOC_ACTUAL_LOCALE, &status) : NULL;
    /* A language without rules gets those of another from ICU, and none from NumberWords. */
    if (actual && status <= U_ZERO_ERROR && has_language(locale, actual)) {
      spell(format, locale);
      spelled++;
    } else {
      printf("%s has no rules\n", locale);
    }
    if (format) unum_close(format);
  }
  fprintf(stderr, "spell: %d locales spell, of %d\n", spelled, (int)count);
  return spelled > 100 ? 0 : 1;
}
