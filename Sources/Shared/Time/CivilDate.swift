/// A calendar day in UTC, with the arithmetic that subscription periods need.
///
/// Foundation's `Calendar` gives the same answers at some fifty times the cost, and a clock jump plays a hundred
/// thousand renewals: see docs/decisions/civil-date.md. Days are counted in the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  package var year: Int64
  /// 1 to 12.
  package var month: Int64
  /// 1 to 31.
  package var day: Int64

  static let millisecondsPerDay: Int64 = 86_400_000

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is `days` after 1970-01-01.
  package init(daysSince1970 days: Int64) {
    // Count from 1 March of year 0, so that the leap day is the last of its year; an era is 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// `months` later; a day that the month lacks becomes its last.
  package func adding(months: Int64) -> CivilDate {
    let count = year * 12 + (month - 1) + months
    let year = count >= 0 ? count / 12 : (count - 11) / 12
    let month = count - year * 12 + 1
    return CivilDate(year: year, month: month, day: min(day, CivilDate.days(in: month, of: year)))
  }

  package static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension StoreTime {
  /// The last instant that calendar sums are made for: the end of the year 9999.
  package static let endOfCalendar = StoreTime(milliseconds: 253_402_300_799_999)

  /// `count` periods later on the calendar of UTC, at the same time of day.
  package func adding(_ period: SubscriptionPeriod, times count: Int = 1) -> StoreTime {
    guard self < .endOfCalendar else { return self }
    let (total, overflow) = Int64(period.value).multipliedReportingOverflow(by: Int64(count))
    guard !overflow, total.magnitude < 4_000_000 else { return .endOfCalendar }
    switch period.unit {
    case .day: return advanced(by: total * CivilDate.millisecondsPerDay)
    case .week: return advanced(by: total * 7 * CivilDate.millisecondsPerDay)
    case .month, .year:
      let perDay = CivilDate.millisecondsPerDay
      let days = milliseconds >= 0 ? milliseconds / perDay : (milliseconds - perDay + 1) / perDay
      let date = CivilDate(daysSince1970: days).adding(months: period.unit == .year ? total * 12 : total)
      return StoreTime(milliseconds: date.daysSince1970 * perDay + (milliseconds - days * perDay))
    }
  }
}
