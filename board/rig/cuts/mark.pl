# Repeatedly writes the time, and what the recorder and the scenario have reported since, into a sector behind the file
# system, so that the write log shows when each write was made and what had been promised by then.
# usage: mark.pl DISK OFFSET FILE...
use strict;
use warnings;
use Fcntl qw(O_WRONLY SEEK_SET);
use Time::HiRes qw(time sleep);

my ($disk, $offset, @files) = @ARGV;
my %read = map { $_ => 0 } @files;
my ($sector, $pause_seconds, $sync_file_range) = (4096, 0.025, 277); # the call's number on x86-64

# What was appended to a file; a file that became shorter was restarted.
sub added {
    my ($file) = @_;
    open my $input, '<', $file or return '';
    $read{$file} = 0 if -s $input < $read{$file};
    seek $input, $read{$file}, SEEK_SET;
    local $/;
    my $text = <$input> // '';
    $text =~ s/[^\n]*\z//; # an unfinished line waits
    $read{$file} += length $text;
    return $text;
}

sysopen my $card, $disk, O_WRONLY or die "$disk: $!";
while (1) {
    my $mark = sprintf("mark %.6f\n", time) . join('', map { added($_) } @files);
    die "too much was said at once" if length $mark > $sector;
    sysseek $card, $offset, SEEK_SET;
    syswrite($card, pack("a$sector", $mark)) == $sector or die "$disk: $!";
    # Written at once, without a flush of the card, which would change what is tested.
    syscall($sync_file_range, fileno $card, $offset, $sector, 7) == 0 or die "sync_file_range: $!";
    sleep $pause_seconds;
}
