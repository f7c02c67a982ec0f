#pragma once

// The journal's macros would stamp this file's name and line on every record; the Swift side says where a record
// comes from itself.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
