import Timekeeping
import WebPages

/// The last reports of the devices, in a small file for each.
struct PanelReports {
  private let folder: PrivateFolder

  init(_ places: WebPlaces) { folder = PrivateFolder(path: places.logs) }

  /// Adds a report to the file of a device.
  func keep(_ report: [UInt8], of device: PanelDevice, at now: WallTime) {
    let before = folder.read(device.name, bytesMax: WebLimits.logBytesMax) ?? []
    // Best effort: on a full disk a report is lost, and the device can do nothing about it.
    _ = folder.write(
      device.name,
      PanelLog.adding(report, at: now, to: String(decoding: before, as: UTF8.self)))
  }
}
